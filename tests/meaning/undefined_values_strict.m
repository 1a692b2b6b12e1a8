-- The same uses with --strict-undefined: each is an error. Passing an undefined variable, asking for it and copying compounds is none.
type
  node: scalarset(2);
  place: enum { home, away };
  who: union { node, place };
  pair: record who: node; count: 0..1; end;

var
  x: node;
  u: who;
  d: node;
  bag: multiset [2] of node;
  p, q: pair;
  n: 0..3;
  step: 0..12;

function nobody(): node; var local: node; begin return local; end;
function is_missing(a: node): boolean; begin return isundefined(a); end;

startstate begin n := 0; step := 0; end;

rule "allowed" true ==>
begin
  assert isundefined(x) & is_missing(x) & is_missing(u) & !ismember(u, node) & p = q;
  p := q;
end;

rule "next" step < 12 ==> begin step := step + 1; end;

rule "equal" step = 0 & x = d ==> begin end;
rule "unequal" step = 1 ==> begin if u != home then n := 0; end; end;
rule "second side" step = 2 ==> begin if home = u then n := 0; end; end;
rule "member" step = 3 ==> begin if x = u then n := 0; end; end;
rule "switch" step = 4 ==> begin switch u case home: n := 0; end; end;
rule "result" step = 5 ==> begin if nobody() = x then n := 0; end; end;
rule "copy" step = 6 ==> begin d := x; end;
rule "copied result" step = 7 ==> begin d := nobody(); end;
rule "conditional" step = 8 ==> begin d := n = 0 ? x : x; end;
rule "element" step = 9 ==> begin multisetadd(x, bag); end;
rule "printed" step = 10 ==> begin put nobody(); end;
rule "alias" step = 11 ==> begin alias k: n = 0 ? x : d do n := 0; end; end;
rule "quantifier" step = 12 ==> begin if exists i: node do x = i end then n := 0; end; end;
