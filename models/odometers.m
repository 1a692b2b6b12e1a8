-- Odometers: five counters, each of which goes around by itself.
--
-- A model for measuring the verifier and not a protocol. Its size is known beforehand, so that a count can be checked
-- where no peer is fast enough: N^5 states, five rules in each, and depth 5 (N - 1). A state has 125 bits, whatever
-- N is, so that sizes differ in nothing but the number of states: N = 16 gives 1.05 million, 26 gives 11.9 million,
-- 35 gives 52.5 million (tools/benchmarks/README.md, "Growth").
--
-- Property: no odometer shows more than it can.

const
  N: 8;
  odometer_count: 5;

type
  odometer: 1..odometer_count;
  -- With the undefined value 2^25 values: 25 bits.
  distance: 0..33554430;

var
  shows: array [odometer] of distance;

startstate "all new"
begin
  for o: odometer do
    shows[o] := 0;
  end;
end;

ruleset o: odometer do
  rule "go on"
  begin
    shows[o] := (shows[o] = N - 1 ? 0 : shows[o] + 1);
  end;
end;

invariant "within its digits"
  forall o: odometer do shows[o] < N end;
