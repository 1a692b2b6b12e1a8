-- Insertion sort, run as a program.
--
-- An environment fills an array with any numbers; then a single step runs the
-- whole sort, loops and all. It is a model of a sequential program rather than of
-- a protocol, in the way one checks a small algorithm for all inputs.
--
-- Abstraction: none, apart from the small size.
--
-- Properties: the result is sorted and holds the values of the input; the loop
-- invariant of insertion sort holds after each round.

const
  size: 6;
  low: -2;
  high: 2;

type
  index: 1..size;
  number: low..high;
  numbers: array [index] of number;
  fill: 0..size;
  tally: array [number] of fill;

var
  input: numbers;
  filled: fill;

procedure count_values(var cells: numbers; var result: tally);
begin
  clear result;
  for i: index do
    result[cells[i]] := result[cells[i]] + 1;
  end;
end;

procedure insertion_sort(var cells: numbers);
var
  key: number;
  j: 0..size;
begin
  for i := 2 to size do
    key := cells[i];
    j := i - 1;
    while j > 0 & key < cells[j] do
      cells[j + 1] := cells[j];
      j := j - 1;
    end;
    cells[j + 1] := key;
    assert forall k := 1 to i - 1 do cells[k] <= cells[k + 1] end
      "the front part is sorted";
  end;
end;

startstate "nothing filled in"
begin
  undefine input;
  filled := 0;
end;

ruleset n: number do
  rule "fill the next cell"
    filled < size
  ==>
  begin
    filled := filled + 1;
    input[filled] := n;
  end;
end;

rule "sort"
  filled = size
==>
var
  output: numbers;
  values_before: tally;
  values_after: tally;
begin
  count_values(input, values_before);
  output := input;
  insertion_sort(output);
  count_values(output, values_after);
  assert forall i := size to 2 by -1 do output[i - 1] <= output[i] end "sorted";
  assert forall n: number do values_before[n] = values_after[n] end "the same values";
  undefine input;
  filled := 0;
end;

invariant "cells are defined from the front"
  forall i: index do isundefined(input[i]) = (i > filled) end;
