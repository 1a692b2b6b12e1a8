-- A state is an error for each property that it violates: after the step three of them are false or cannot be evaluated.
var x: 0..2; y: array [0..1] of boolean;

startstate begin x := 0; for i: 0..1 do y[i] := false; end; end;

rule "step" x = 0 ==> begin x := 1; end;

invariant "no step" x = 0;
invariant "can be divided" 6 / (1 - x) > 0;
invariant "always" x < 2;
-- False for both of its parameters, and one error.
ruleset i: 0..1 do
  invariant "seen first" x = 1 -> y[i];
end;
