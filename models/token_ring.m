-- Dijkstra's self-stabilising token ring with K-state machines.
--
-- Each machine holds a number. The bottom machine is privileged if its number
-- equals that of its left neighbour, and then adds one; every other machine is
-- privileged if its number differs from its left neighbour's, and then copies it.
-- Wherever the ring starts, it soon has exactly one privilege going around.
--
-- Abstraction: a machine reads its neighbour and writes itself in one step.
--
-- Properties, from every one of the start states: somebody is always privileged;
-- no step adds a privilege; a single privilege is reached at all (a cover).

const
  machine_count: 5;
  value_count: 5;

type
  machine: 0..machine_count - 1;
  value: 0..value_count - 1;

var
  x: array [machine] of value;

function left_of(m: machine): machine;
begin
  return (m + machine_count - 1) % machine_count;
end;

function privileged(m: machine): boolean;
begin
  if m = 0 then
    return x[m] = x[left_of(m)];
  end;
  return x[m] != x[left_of(m)];
end;

function privilege_count(): 0..machine_count;
var
  total: 0..machine_count;
begin
  total := 0;
  for m: machine do
    if privileged(m) then
      total := total + 1;
    end;
  end;
  return total;
end;

ruleset a: value; b: value do
  ruleset c: value do
    ruleset d: value; e: value do
      startstate "anything"
      begin
        x[0] := a;
        x[1] := b;
        x[2] := c;
        x[3] := d;
        x[4] := e;
      end;
    end;
  end;
end;

ruleset m: machine do
  rule "use the privilege"
    privileged(m)
  ==>
  var
    before: 0..machine_count;
  begin
    before := privilege_count();
    if m = 0 then
      x[m] := (x[m] + 1) % value_count;
    else
      x[m] := x[left_of(m)];
    end;
    assert privilege_count() <= before "no privilege is added";
    assert !privileged(m) "the privilege moved on";
  end;
end;

invariant "somebody is privileged"
  exists m: machine do privileged(m) end;

cover "a single privilege is reached"
  privilege_count() = 1;
