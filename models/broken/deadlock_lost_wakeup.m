-- The lost wake-up: a bounded buffer whose consumer checks and sleeps in two steps.
--
-- The producer wakes the consumer when it puts an item into an empty buffer; the
-- consumer goes to sleep when it finds the buffer empty, and the producer when it
-- finds it full.
--
-- The bug: between the consumer's test and its going to sleep the producer may
-- fill the buffer, and its wake-up call meets a consumer that is still awake.
-- Then both sleep for good. Their watchdog keeps polling, which changes nothing:
-- a state whose only successor is itself is a deadlock too.
--
-- Abstraction: the buffer is its number of items.
--
-- Property: no deadlock (violated).

const
  capacity: 3;

type
  location: enum { working, found_limit, asleep };

var
  items: 0..capacity;
  producer: location;
  consumer: location;

startstate "empty and awake"
begin
  items := 0;
  producer := working;
  consumer := working;
end;

rule "produce"
  producer = working & items < capacity
==>
begin
  items := items + 1;
  if items = 1 & consumer = asleep then
    consumer := working;
  end;
end;

rule "find the buffer full"
  producer = working & items = capacity
==>
begin
  producer := found_limit;
end;

rule "producer goes to sleep"
  producer = found_limit
==>
begin
  producer := asleep;
end;

rule "consume"
  consumer = working & items > 0
==>
begin
  items := items - 1;
  if items = capacity - 1 & producer = asleep then
    producer := working;
  end;
end;

rule "find the buffer empty"
  consumer = working & items = 0
==>
begin
  consumer := found_limit;
end;

rule "consumer goes to sleep"
  consumer = found_limit
==>
begin
  consumer := asleep;
end;

rule "the watchdog polls"
  producer = asleep | consumer = asleep
==>
begin
end;
