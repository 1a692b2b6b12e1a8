-- Processes that hardly meet: many rules sleep. Priorities are in others.
const n: 5; wide: 1900;
var
  pc: array [0..n - 1] of 0..2;
  turn: 0..n - 1;
  ballast: array [1..wide] of 0..1099511627776;

startstate
begin
  for i := 0 to n - 1 do pc[i] := 0; end;
  turn := 0;
  for i := 1 to wide do ballast[i] := 0; end;
end;

ruleset i: 0..n - 1 do
  rule "work" pc[i] = 0 ==> begin pc[i] := 1; end;
  rule "rest" pc[i] = 1 & turn != i ==> begin pc[i] := 2; end;
  rule "again" pc[i] = 2 & turn = i ==> begin pc[i] := 0; turn := (i + 1) % n; end;
  rule "look" turn = i ==> begin turn := i; end;
end;

invariant "somebody works" exists i: 0..n - 1 do pc[i] != 2 end | turn <= n - 1;
