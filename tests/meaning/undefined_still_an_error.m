-- What stays an error: an undefined index, and every undefined number, enum or boolean, also beside a union.
type
  node: scalarset(2);
  place: enum { home, away };
  who: union { node, place };

var
  x: node;
  u: who;
  e: place;
  m: 0..3;
  b: boolean;
  room: array [node] of 0..3;
  rooms: array [who] of 0..3;
  places: multiset [1] of place;
  n: 0..3;
  step: 0..14;

function nobody(): node; var local: node; begin return local; end;
function lost(): place; var local: place; begin return local; end;

startstate
begin
  for i: node do room[i] := 0; end;
  for i: who do rooms[i] := 0; end;
  n := 0;
  step := 0;
end;

rule "next" step < 14 ==> begin step := step + 1; end;

rule "index" step = 0 & n = room[x] ==> begin end;
rule "target" step = 1 ==> begin room[x] := 1; end;
rule "union index" step = 2 ==> begin n := rooms[u]; end;
rule "converted index" step = 3 ==> begin n := rooms[x]; end;
rule "result as index" step = 4 ==> begin n := room[nobody()]; end;
rule "conditional as index" step = 5 ==> begin n := room[n = 0 ? x : nobody()]; end;
rule "enum beside a union" step = 6 ==> begin if u = e then n := 1; end; end;
rule "union beside an enum" step = 7 ==> begin if e != u then n := 1; end; end;
rule "enum" step = 8 ==> begin if e = home then n := 1; end; end;
rule "subject" step = 9 ==> begin switch e case home: n := 1; end; end;
rule "result" step = 10 ==> begin e := lost(); end;
rule "element" step = 11 ==> begin multisetadd(e, places); end;
rule "number" step = 12 ==> begin if n = m then n := 1; end; end;
rule "boolean" step = 13 ==> begin if b = true then n := 1; end; end;
rule "condition" step = 14 & b ==> begin end;
