-- An invariant over pairs is evaluated in an order that asks less. What goes wrong in that order alone does not count, and what is told
-- is what goes wrong in the order of the text.
type index: 0..2;
var a, b: array [index] of 0..3; at: 0..9;

startstate
begin
  for i: index do a[i] := 0; b[i] := 1; end;
  at := 0;
  undefine a[0];
end;

-- Where b[0] = 2 and b[1] = 0 it is a division by zero, and the other order comes to an undefined a[2] before that.
invariant "first error" forall i: index do forall j: index do i = 0 | 6 / b[j] != 3 | a[i] != 3 end end;
-- Asked about in the other order only.
invariant "spared" forall i: index do forall j: index do i != 2 | a[i] = 1 | b[j] != 3 end end;
invariant "not before" !exists i: index do exists j: index do i = 2 & j != 2 & a[i] = 2 & b[j] = 2 end end;
ruleset i: index do
  invariant "parameter" forall j: index do i = j | i = 0 | a[i] != 1 | a[j] != 1 end;
end;

rule "division" at = 0 ==> begin at := 1; b[0] := 2; b[1] := 0; undefine a[2]; end;
rule "wrong pair" at = 0 ==> begin at := 2; a[2] := 2; b[1] := 2; end;
rule "undefined" at = 0 ==> begin at := 3; a[1] := 1; a[2] := 1; end;
rule "three" at = 0 ==> begin at := 4; a[1] := 3; b[0] := 2; end;
rule "two ones" at = 0 ==> begin at := 5; a[0] := 1; a[1] := 1; end;
