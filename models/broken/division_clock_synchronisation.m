-- Clock synchronisation by averaging, after the Berkeley algorithm.
--
-- A master asks the other machines for their clocks, averages those that answer
-- in time and are not too far off, and tells everyone to set the clock to the
-- average.
--
-- The bug: the master leaves itself out of the average. If every other machine is
-- down or too far off, it divides by zero.
--
-- Abstraction: clocks run modulo a small number and drift by one tick; a poll
-- and its answers are one step, as is setting the clocks.
--
-- Properties: clocks that took part agree afterwards (holds); no division by zero
-- (violated).

const
  machine_count: 3;
  last_tick: 4;
  tolerance: 2;

type
  machine: 0..machine_count - 1;  -- machine 0 is the master
  tick: 0..last_tick;
  machine_total: 0..machine_count;
  tick_total: 0..last_tick * machine_count;

var
  clock: array [machine] of tick;
  running: array [machine] of boolean;
  accepted: array [machine] of boolean;
  answers: machine_total;
  answer_sum: tick_total;
  polled: boolean;

function close(a: tick; b: tick): boolean;
begin
  return a - b <= tolerance & b - a <= tolerance;
end;

procedure forget_poll();
begin
  polled := false;
  answers := 0;
  answer_sum := 0;
  for m: machine do
    accepted[m] := false;
  end;
end;

startstate "all clocks at zero"
begin
  for m: machine do
    clock[m] := 0;
    running[m] := true;
  end;
  forget_poll();
end;

ruleset m: machine do

  rule "a clock ticks"
    running[m] & clock[m] < last_tick & !polled
  ==>
  begin
    clock[m] := clock[m] + 1;
  end;

  rule "a machine fails"
    m > 0 & running[m] & !polled
  ==>
  begin
    running[m] := false;
    clock[m] := 0;
  end;

  rule "a machine restarts"
    !running[m] & !polled
  ==>
  begin
    running[m] := true;
  end;

end;

rule "the master polls"
  !polled
==>
begin
  polled := true;
  for m := 1 to machine_count - 1 do
    if running[m] & close(clock[m], clock[0]) then
      accepted[m] := true;
      answers := answers + 1;
      answer_sum := answer_sum + clock[m];
    end;
  end;
end;

rule "the master sets the clocks"
  polled
==>
var
  average: tick;
begin
  average := answer_sum / answers;
  clock[0] := average;
  for m: machine do
    if accepted[m] then
      clock[m] := average;
    end;
  end;
  forget_poll();
end;

rule "a new day"
  !polled & exists m: machine do clock[m] = last_tick end
==>
begin
  for m: machine do
    clock[m] := 0;
  end;
end;
