-- Fields of records, whole records, constant indices, ranges.
type cell: record head: 0..3; tail: 0..3 end;
var channel: array [1..3] of cell; one: cell;
startstate begin for i := 1 to 3 do channel[i].head := 0; channel[i].tail := 0 end; one.head := 0; one.tail := 0 end;
rule "head" one.head < 3 ==> begin one.head := one.head + 1 end;
rule "tail" one.tail < 3 ==> begin one.tail := one.tail + 1 end;
rule "whole" one != channel[1] ==> begin one := channel[1] end;
rule "first" channel[1].head < 3 ==> begin channel[1].head := channel[1].head + 1 end;
rule "some" forall i := 2 to 3 do channel[i].head < 3 end ==>
begin
  for i := 2 to 3 do channel[i].head := channel[i].head + 1 end
end;
ruleset i: 1..3 do rule "tails" channel[i].tail < 2 ==> begin channel[i].tail := channel[i].tail + 1 end end;
