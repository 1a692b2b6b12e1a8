-- A sense-reversing barrier, with interchangeable processes.
--
-- A process that arrives counts itself and waits until the common sense turns to
-- the one that it expects next. The last one resets the counter and turns the
-- sense, which releases all others at once; each goes on when it notices.
--
-- Abstraction: counting oneself and testing whether one is the last is a single
-- step. What processes do between barriers is left out.
--
-- Property: whoever works is in the same round, and the counter tells how many
-- wait for the last one.
--
-- For symmetry reduction this is the best case in disguise: there are millions of
-- states, but whatever happens, processes differ only in where they are. Most
-- elements of the scalarset are alike in every state, and a reduction that tried
-- their permutations would try sixteen factorial of them.

const
  process_count: 16;

type
  process: scalarset(process_count);
  process_total: 0..process_count;
  location: enum { working, waiting };

var
  at: array [process] of location;
  expected: array [process] of boolean;  -- the sense that releases the process
  sense: boolean;
  arrived: process_total;

startstate "everyone works"
begin
  sense := false;
  arrived := 0;
  for p: process do
    at[p] := working;
    expected[p] := true;
  end;
end;

ruleset p: process do

  rule "arrive"
    at[p] = working & arrived < process_count - 1
  ==>
  begin
    arrived := arrived + 1;
    at[p] := waiting;
  end;

  rule "arrive as the last one"
    at[p] = working & arrived = process_count - 1
  ==>
  begin
    arrived := 0;
    sense := expected[p];
    expected[p] := !expected[p];
  end;

  rule "go on"
    at[p] = waiting & sense = expected[p]
  ==>
  begin
    at[p] := working;
    expected[p] := !expected[p];
  end;

end;

function waiting_for_the_last(): process_total;
var
  total: process_total;
begin
  total := 0;
  for p: process do
    if at[p] = waiting & expected[p] != sense then
      total := total + 1;
    end;
  end;
  return total;
end;

invariant "the counter tells how many wait"
  arrived = waiting_for_the_last();

invariant "who works expects the next round"
  forall p: process do
    at[p] = working -> expected[p] != sense
  end;
