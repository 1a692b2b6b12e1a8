-- A free list of memory blocks, without a check against double frees.
--
-- Free blocks form a linked list. Allocation takes the head, freeing puts a block
-- back at the head, and an audit walks along the list to count the free blocks.
--
-- The bug: two threads share some blocks, and both may free the same one. A block
-- that is freed while it is the head points to itself, and the audit never ends.
--
-- Abstraction: every operation is one step.
--
-- Property: the audit ends (violated: its loop passes the bound on iterations).

const
  block_count: 3;

type
  block: 1..block_count;
  link: 0..block_count;  -- 0 is the end of the list
  thread: enum { first, second };

var
  head: link;
  next: array [block] of link;
  holds: array [thread] of array [block] of boolean;
  free_blocks: 0..3000;

startstate "everything free"
begin
  head := 1;
  for b: block do
    next[b] := (b + 1) % (block_count + 1);
    for t: thread do
      holds[t][b] := false;
    end;
  end;
  free_blocks := block_count;
end;

ruleset t: thread do

  rule "allocate"
    head != 0
  ==>
  begin
    holds[t][head] := true;
    head := next[head];
  end;

  ruleset b: block do

    rule "share a block"
      holds[t][b]
    ==>
    begin
      for u: thread do
        holds[u][b] := true;
      end;
    end;

    rule "free"
      holds[t][b]
    ==>
    begin
      holds[t][b] := false;
      next[b] := head;
      head := b;
    end;

  end;

end;

rule "audit"
  true
==>
var
  current: link;
begin
  free_blocks := 0;
  current := head;
  while current != 0 do
    free_blocks := free_blocks + 1;
    current := next[current];
  end;
end;
