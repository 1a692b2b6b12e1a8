-- Dijkstra's dining philosophers, where everyone begins with the left fork.
--
-- The bug: once every philosopher holds the left fork, nobody can move.
-- The cure is in models/dining_philosophers.m.
--
-- Abstraction: taking a fork, and putting both down, is a single step.
--
-- Property: no deadlock (violated); neighbours never eat at the same time (holds).

const
  philosopher_count: 5;

type
  philosopher: 0..philosopher_count - 1;
  activity: enum { thinking, holding_left, eating };

var
  taken: array [philosopher] of boolean;
  doing: array [philosopher] of activity;

function right_fork(p: philosopher): philosopher;
begin
  return (p + 1) % philosopher_count;
end;

startstate "all think"
begin
  for p: philosopher do
    taken[p] := false;
    doing[p] := thinking;
  end;
end;

ruleset p: philosopher do

  rule "take the left fork"
    doing[p] = thinking & !taken[p]
  ==>
  begin
    taken[p] := true;
    doing[p] := holding_left;
  end;

  rule "take the right fork"
    doing[p] = holding_left & !taken[right_fork(p)]
  ==>
  begin
    taken[right_fork(p)] := true;
    doing[p] := eating;
  end;

  rule "put both forks back"
    doing[p] = eating
  ==>
  begin
    taken[p] := false;
    taken[right_fork(p)] := false;
    doing[p] := thinking;
  end;

end;

invariant "neighbours do not eat together"
  forall p: philosopher do
    !(doing[p] = eating & doing[right_fork(p)] = eating)
  end;
