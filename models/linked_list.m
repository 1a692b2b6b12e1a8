-- A distributed linked list, of the kind that links the sharers of a cache line.
--
-- A home node knows the head of the list; every member knows its successor only.
-- A node joins by asking home, which makes it the new head and answers with the
-- old one. A node leaves by asking home, which sends a removal message down the
-- list: the member whose successor is leaving takes over the leaver's successor
-- and tells the leaver. Home carries out one removal at a time; joins go on
-- meanwhile, at the front.
--
-- Abstraction: a node has at most one request on its way, and there is one
-- removal message, so that messages are kept in fixed places and arrive in any
-- order. The end of the list is `undefined`.
--
-- Properties: whatever is on its way, walking from the head along the pointers
-- (and along the answers to those that are joining) visits every member once and
-- ends. No member is lost, doubled or left in a circle.

const
  node_count: 4;

type
  node: scalarset(node_count);
  node_total: 0..node_count;
  status: enum {
    outside,
    asking_to_join,
    joining,  -- linked in by home, but the answer is on its way
    member,
    asking_to_leave,
    leaving  -- the removal is under way
  };
  removal_place: enum { nowhere, at_node, back_home };

var
  head: node;
  status_of: array [node] of status;
  next: array [node] of node;
  join_answer: array [node] of node;  -- the old head, for a node that is joining

  removal: record
    place: removal_place;
    at: node;  -- the node that must act next
    leaver: node;
    successor: node;  -- of the leaver
  end;

-- Copies a pointer that may be undefined.
procedure copy_pointer(var target: node; var source: node);
begin
  if isundefined(source) then
    undefine target;
  else
    target := source;
  end;
end;

function linked(n: node): boolean;
begin
  return status_of[n] != outside & status_of[n] != asking_to_join;
end;

function linked_total(): node_total;
var
  total: node_total;
begin
  total := 0;
  for n: node do
    if linked(n) then
      total := total + 1;
    end;
  end;
  return total;
end;

-- Walks the whole list. True if it visits `expected` different linked nodes and
-- then ends.
function walk_visits(expected: node_total): boolean;
var
  current: node;
  visited: array [node] of boolean;
  steps: node_total;
begin
  for n: node do
    visited[n] := false;
  end;
  steps := 0;
  copy_pointer(current, head);
  while !isundefined(current) do
    if visited[current] | !linked(current) then
      return false;
    end;
    visited[current] := true;
    steps := steps + 1;
    if status_of[current] = joining then
      copy_pointer(current, join_answer[current]);
    else
      copy_pointer(current, next[current]);
    end;
  end;
  return steps = expected;
end;

startstate "empty list"
begin
  undefine head;
  undefine next;
  undefine join_answer;
  undefine removal;
  removal.place := nowhere;
  for n: node do
    status_of[n] := outside;
  end;
end;

ruleset n: node do

  rule "ask to join"
    status_of[n] = outside
  ==>
  begin
    status_of[n] := asking_to_join;
  end;

  rule "home links a new head"
    status_of[n] = asking_to_join
  ==>
  begin
    copy_pointer(join_answer[n], head);
    head := n;
    status_of[n] := joining;
  end;

  rule "learn the successor"
    status_of[n] = joining
  ==>
  begin
    copy_pointer(next[n], join_answer[n]);
    undefine join_answer[n];
    status_of[n] := member;
  end;

  rule "ask to leave"
    status_of[n] = member
  ==>
  begin
    status_of[n] := asking_to_leave;
  end;

  rule "home begins a removal"
    status_of[n] = asking_to_leave & removal.place = nowhere
  ==>
  begin
    status_of[n] := leaving;
    if head = n then
      copy_pointer(head, next[n]);
      undefine next[n];
      status_of[n] := outside;
    else
      removal.place := at_node;
      removal.at := head;
      removal.leaver := n;
      copy_pointer(removal.successor, next[n]);
    end;
  end;

  -- A node that is joining does not know its successor yet: the message waits.
  rule "pass the removal on or carry it out"
    removal.place = at_node & removal.at = n & status_of[n] != joining
  ==>
  begin
    if next[n] = removal.leaver then
      copy_pointer(next[n], removal.successor);
      undefine next[removal.leaver];
      status_of[removal.leaver] := outside;
      undefine removal;
      removal.place := back_home;
    else
      removal.at := next[n];
    end;
  end;

end;

rule "home learns that the removal is done"
  removal.place = back_home
==>
begin
  removal.place := nowhere;
end;

invariant "the list holds exactly the linked nodes"
  walk_visits(linked_total());

invariant "only members have a successor"
  forall n: node do
    !isundefined(next[n])
    -> status_of[n] = member | status_of[n] = asking_to_leave | status_of[n] = leaving
  end;
