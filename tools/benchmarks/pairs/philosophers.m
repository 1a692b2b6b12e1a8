-- Dijkstra's dining philosophers, one of them left-handed: one half of a pair. The other half, philosophers.pml, is
-- the same in Promela: the same steps, and so the same states and as many transitions.
--
-- As in models/dining_philosophers.m, taking a fork or putting one down is a single step.
--
-- Property: neighbours never eat at the same time.

const
  philosopher_count: 13;

type
  philosopher: 0..philosopher_count - 1;
  activity: enum { thinking, holding_one, eating, putting_back };

var
  -- Fork f lies between philosophers f and f + 1.
  taken: array [philosopher] of boolean;
  doing: array [philosopher] of activity;

function before(p: philosopher): philosopher;
begin
  return p = 0 ? philosopher_count - 1 : p - 1;
end;

function after(p: philosopher): philosopher;
begin
  return p = philosopher_count - 1 ? 0 : p + 1;
end;

-- The fork that is taken first: one's own, but for the philosopher who breaks the circle.
function first_fork(p: philosopher): philosopher;
begin
  return p = 0 ? philosopher_count - 1 : p;
end;

function second_fork(p: philosopher): philosopher;
begin
  return p = 0 ? 0 : p - 1;
end;

startstate "all think"
begin
  for p: philosopher do
    taken[p] := false;
    doing[p] := thinking;
  end;
end;

ruleset p: philosopher do

  rule "take the first fork"
    doing[p] = thinking & !taken[first_fork(p)]
  ==>
  begin
    taken[first_fork(p)] := true;
    doing[p] := holding_one;
  end;

  rule "take the second fork"
    doing[p] = holding_one & !taken[second_fork(p)]
  ==>
  begin
    taken[second_fork(p)] := true;
    doing[p] := eating;
    assert doing[before(p)] != eating & doing[after(p)] != eating "neighbours do not eat together";
  end;

  rule "put the second fork back"
    doing[p] = eating
  ==>
  begin
    taken[second_fork(p)] := false;
    doing[p] := putting_back;
  end;

  rule "put the first fork back"
    doing[p] = putting_back
  ==>
  begin
    taken[first_fork(p)] := false;
    doing[p] := thinking;
  end;

end;
