-- Six rules and more ask for the same places, and before that for one that has no value: that is an error, although no instance holds
-- what is asked for.
type
  id: 0..2;
  step: enum { one, two, three, four, five, six, last };
var
  ready: 0..3;
  pc: array [id] of step;
startstate begin for i: id do pc[i] := last; end; end;
ruleset i: id do
  rule "1" ready > 0 & pc[i] = one ==> begin pc[i] := two; end;
  rule "2" ready > 0 & pc[i] = two ==> begin pc[i] := three; end;
  rule "3" ready > 0 & pc[i] = three ==> begin pc[i] := four; end;
  rule "4" ready > 0 & pc[i] = four ==> begin pc[i] := five; end;
  rule "5" ready > 0 & pc[i] = five ==> begin pc[i] := six; end;
  rule "6" ready > 0 & pc[i] = six ==> begin pc[i] := one; end;
  rule "7" pc[i] = last ==> begin pc[i] := last; end;
end;
