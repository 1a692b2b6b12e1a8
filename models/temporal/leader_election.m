-- Leader election in a ring that goes one way (Chang and Roberts): each process sends its number
-- on, a smaller one is swallowed, and who receives its own number leads.

const
  size: 4;
  all_swallow: 0;  -- 1: a process swallows all numbers but its own
type
  process: 0..size - 1;
  number: 0..size;  -- size: nothing

var
  channel: array [process] of number;  -- towards the process
  begun: array [process] of boolean;
  leads: array [process] of boolean;

startstate
begin
  for p: process do
    channel[p] := size;
    begun[p] := false;
    leads[p] := false;
  end;
end;

fair ruleset p: process do
  rule "begin" !begun[p] & channel[(p + 1) % size] = size ==>
  begin
    begun[p] := true;
    channel[(p + 1) % size] := p;
  end;

  rule "swallow" channel[p] != size & (channel[p] < p | all_swallow = 1 & channel[p] > p) ==>
  begin
    channel[p] := size;
  end;

  rule "pass on" channel[p] != size & channel[p] > p & channel[(p + 1) % size] = size ==>
  begin
    channel[(p + 1) % size] := channel[p];
    channel[p] := size;
  end;

  rule "lead" channel[p] = p ==>
  begin
    leads[p] := true;
    channel[p] := size;
  end;
end;

invariant "at most one" forall p: process; q: process do leads[p] & leads[q] -> p = q end;

ltl "eventually one" <> exists p: process do leads[p] end;
ltl "for good" forall p: process do [] (leads[p] -> [] leads[p]) end;
liveness "a leader" leads[size - 1];
deadlock "no leader" forall p: process do !leads[p] end;
