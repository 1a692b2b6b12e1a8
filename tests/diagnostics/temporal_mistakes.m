var x: 0..3;
startstate begin x := 0; end;
ruleset i: 0..3 do
  rule "step" x = i ==> begin x := (x + 1) % 4; end;
end;
ltl "no such rule" <> fired("stop");
ltl "too many values" <> fired("step", 1, 2);
ltl "depends on the state" <> fired("step", x);
ltl "not a formula" [] x;
ltl "not an operand" (<> x = 0) + 1 = 1;
liveness "comes back" x = 0;
function always(v: boolean): boolean; begin return v; end;
ltl "operator or call" always(x < 4);
