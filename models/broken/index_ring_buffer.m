-- A ring buffer between a producer and a consumer, with a reader that peeks.
--
-- The producer writes at `write_position`, the consumer reads at `read_position`;
-- both positions run around the ring. A monitor looks at the newest item without
-- taking it.
--
-- The bug: the monitor computes the position of the newest item as
-- write_position - 1 and forgets to go around the ring, which is wrong just after
-- the producer has filled the last place.
--
-- Abstraction: items are one bit; each operation is one step.
--
-- Properties: the consumer gets what was produced (holds); every access is within
-- the ring (violated).

const
  size: 4;

type
  position: 0..size - 1;
  item: 0..1;
  fill: 0..size;

var
  ring: array [position] of item;
  write_position: position;
  read_position: position;
  used: fill;
  next_item: item;
  next_expected: item;
  observed: item;

startstate "empty ring"
begin
  clear ring;
  write_position := 0;
  read_position := 0;
  used := 0;
  next_item := 0;
  next_expected := 0;
  observed := 0;
end;

rule "produce"
  used < size
==>
begin
  ring[write_position] := next_item;
  next_item := 1 - next_item;
  write_position := (write_position + 1) % size;
  used := used + 1;
end;

rule "consume"
  used > 0
==>
begin
  assert ring[read_position] = next_expected "items come in order";
  next_expected := 1 - next_expected;
  read_position := (read_position + 1) % size;
  used := used - 1;
end;

rule "look at the newest item"
  used > 1
==>
begin
  observed := ring[write_position - 1];
end;
