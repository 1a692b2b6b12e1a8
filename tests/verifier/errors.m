-- A number that climbs through several mistakes, one after the other.
type phase: enum { low, high };
var x: 0..9; p: phase;

startstate "bottom" begin x := 0; p := low; put "started\n"; end;

ruleset step: 1..2 do
  rule "climb" x + step <= 9 ==>
  begin
    x := x + step;
    if x > 5 then p := high; end;
  end;
end;
rule "never" x > 100 ==> begin x := 0; end;

invariant "not four" x != 4;
invariant "not seven" x != 7;
cover "high" p = high;
