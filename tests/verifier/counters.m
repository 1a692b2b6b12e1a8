-- Ten digits that count up: ten thousand million states, none of them wrong. Nobody waits for the end.
var digit: array [0..9] of 0..9;

startstate "all zero" begin clear digit; end;

ruleset i: 0..9 do
  rule "up" digit[i] < 9 ==> begin digit[i] := digit[i] + 1; end;
end;

rule "again" forall i: 0..9 do digit[i] = 9 end ==> begin clear digit; end;

invariant "in range" forall i: 0..9 do digit[i] <= 9 end;
