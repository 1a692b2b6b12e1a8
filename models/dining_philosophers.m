-- Dijkstra's dining philosophers, with the classical cure.
--
-- Philosophers sit around a table with one fork between neighbours. Each takes
-- one fork, then the other, eats and puts both back. If everyone begins with the
-- left fork they may all starve together (models/broken/deadlock_philosophers.m).
-- Here one philosopher is left-handed and begins with the other fork, which
-- breaks the circle.
--
-- Abstraction: taking a fork, and putting one down, is a single step.
--
-- Properties: no deadlock; neighbours never eat at the same time; a fork is held
-- by one of its two neighbours.

const
  philosopher_count: 6;

type
  philosopher: 0..philosopher_count - 1;
  fork_state: enum { on_table, with_left_neighbour, with_right_neighbour };
  activity: enum { thinking, holding_one, eating, putting_back };

var
  -- Fork f lies between philosopher f (on its left side) and f + 1.
  fork: array [philosopher] of fork_state;
  doing: array [philosopher] of activity;

-- The fork that a philosopher takes first, and the one that is taken second.
function first_fork(p: philosopher): philosopher;
begin
  if p = 0 then
    return philosopher_count - 1;
  end;
  return p;
end;

function second_fork(p: philosopher): philosopher;
begin
  if p = 0 then
    return 0;
  end;
  return p - 1;
end;

function side(p: philosopher; f: philosopher): fork_state;
begin
  return p = f ? with_left_neighbour : with_right_neighbour;
end;

startstate "all think"
begin
  for p: philosopher do
    fork[p] := on_table;
    doing[p] := thinking;
  end;
end;

ruleset p: philosopher do

  rule "take the first fork"
    doing[p] = thinking & fork[first_fork(p)] = on_table
  ==>
  begin
    fork[first_fork(p)] := side(p, first_fork(p));
    doing[p] := holding_one;
  end;

  rule "take the second fork"
    doing[p] = holding_one & fork[second_fork(p)] = on_table
  ==>
  begin
    fork[second_fork(p)] := side(p, second_fork(p));
    doing[p] := eating;
  end;

  rule "put the second fork back"
    doing[p] = eating
  ==>
  begin
    fork[second_fork(p)] := on_table;
    doing[p] := putting_back;
  end;

  rule "put the first fork back"
    doing[p] = putting_back
  ==>
  begin
    fork[first_fork(p)] := on_table;
    doing[p] := thinking;
  end;

end;

invariant "neighbours do not eat together"
  forall p: philosopher do
    !(doing[p] = eating & doing[(p + 1) % philosopher_count] = eating)
  end;

invariant "an eater holds both forks"
  forall p: philosopher do
    doing[p] = eating
    -> fork[p] = with_left_neighbour
    & fork[(p + philosopher_count - 1) % philosopher_count] = with_right_neighbour
  end;
