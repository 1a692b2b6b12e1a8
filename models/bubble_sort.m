-- Sorting by exchanges of neighbours, in any order.
--
-- Any two neighbours that are out of order may change places. Bubble sort is one
-- schedule of this system, odd-even sort on parallel processors another; the
-- model shows that every schedule ends with the same sorted row.
--
-- Abstraction: an exchange is one step. A sorted row is put back as it was, in a
-- new round, so that the model has no deadlock.
--
-- Properties: a row that admits no exchange is sorted; exchanges neither lose nor
-- invent values; every exchange removes exactly one inversion, so that sorting
-- ends.

const
  length: 5;
  largest: 4;

type
  index: 1..length;
  value: 1..largest;
  row: array [index] of value;
  count: 0..length * (length - 1) / 2;

var
  original: row;
  current: row;
  odd_round: boolean;

function occurrences(v: value; var cells: row): count;
var
  total: count;
begin
  total := 0;
  for i: index do
    if cells[i] = v then
      total := total + 1;
    end;
  end;
  return total;
end;

function inversions(var cells: row): count;
var
  total: count;
begin
  total := 0;
  for i := 1 to length - 1 do
    for j := i + 1 to length do
      if cells[i] > cells[j] then
        total := total + 1;
      end;
    end;
  end;
  return total;
end;

function sorted(var cells: row): boolean;
begin
  return forall i := 1 to length - 1 do cells[i] <= cells[i + 1] end;
end;

procedure exchange(var a: value; var b: value);
var
  kept: value;
begin
  kept := a;
  a := b;
  b := kept;
end;

ruleset a: value; b: value; c: value; d: value; e: value do
  startstate "any row"
  begin
    original[1] := a;
    original[2] := b;
    original[3] := c;
    original[4] := d;
    original[5] := e;
    current := original;
    odd_round := false;
  end;
end;

ruleset i: 1..length - 1 do
  rule "exchange neighbours"
    current[i] > current[i + 1]
  ==>
  var
    before: count;
  begin
    before := inversions(current);
    exchange(current[i], current[i + 1]);
    assert inversions(current) = before - 1 "one inversion less";
  end;
end;

rule "start over"
  inversions(current) = 0
==>
begin
  current := original;
  odd_round := !odd_round;
end;

invariant "no inversion means sorted"
  (inversions(current) = 0) = sorted(current);

ruleset v: value do
  invariant "values are kept"
    occurrences(v, current) = occurrences(v, original);
end;
