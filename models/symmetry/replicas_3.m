-- Copies of shards are placed on machines.
--
-- A shard has at most two copies, and a machine room for two. Copies are placed and
-- withdrawn one at a time, wherever there is room.
--
-- Abstraction: nothing is copied and nothing is lost; this is about who is where.
--
-- Property: nothing is placed twice or beyond its limit, and both sides count the same
-- number of copies.
--
-- The same as replicas_6.m, small enough to be explored without reduction.

const
  shard_count: 3;
  machine_count: 3;
  copies: 2;
  most_placed: 6;

type
  shard: scalarset(shard_count);
  machine: scalarset(machine_count);

var
  placed: array [shard] of array [machine] of boolean;
  copies_of: array [shard] of 0..copies;
  load_of: array [machine] of 0..copies;
  total: 0..most_placed;

startstate "nothing is placed"
begin
  for s: shard do
    copies_of[s] := 0;
    for m: machine do
      placed[s][m] := false;
    end;
  end;
  for m: machine do
    load_of[m] := 0;
  end;
  total := 0;
end;

ruleset s: shard; m: machine do

  rule "place"
    !placed[s][m] & copies_of[s] < copies & load_of[m] < copies & total < most_placed
  ==>
  begin
    placed[s][m] := true;
    copies_of[s] := copies_of[s] + 1;
    load_of[m] := load_of[m] + 1;
    total := total + 1;
  end;

  rule "withdraw"
    placed[s][m]
  ==>
  begin
    placed[s][m] := false;
    copies_of[s] := copies_of[s] - 1;
    load_of[m] := load_of[m] - 1;
    total := total - 1;
  end;

end;

function copies_counted(s: shard): 0..machine_count;
var
  count: 0..machine_count;
begin
  count := 0;
  for m: machine do
    if placed[s][m] then
      count := count + 1;
    end;
  end;
  return count;
end;

invariant "shards know their copies"
  forall s: shard do
    copies_counted(s) = copies_of[s]
  end;

invariant "as many places as copies"
  total = most_placed -> forall m: machine do load_of[m] = copies end;
