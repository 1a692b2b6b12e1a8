-- As many start states as there can be, and in each something that is wrong.
const most: 2147483646;
var x: 0..most;

ruleset i: 0..most do
  startstate "any" begin x := i; end;
end;

rule "next" x < most ==> begin x := x + 1; end;

invariant "even" x % 2 = 0;
