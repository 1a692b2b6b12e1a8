-- Mutual exclusion by Naimi and Trehel's algorithm, for three nodes that send
-- each other messages.
--
-- One node has the token, and only who has it may enter the critical section. A
-- node that wants to enter asks the node that it takes for the last of the queue,
-- and takes itself for the last from then on. A node that is asked and is not the
-- last itself passes the request on to the one that it takes for the last. If it
-- is the last, the asking node gets the token after it, or at once if nobody
-- needs it. Either way it takes the asking node for the last from now on. So
-- requests find their way through a tree that every request makes flatter.
--
-- A node has two processes: a user, who rests, asks, waits, enters and leaves,
-- and a manager, who answers requests one at a time. Every request and the token
-- have buffers of their own, so that what happens at different nodes can happen
-- in any order.
--
-- Abstraction: nothing is lost; messages may overtake each other, also between
-- the same two nodes. Every user enters a given number of times. When all have
-- and nothing is on its way, a new day begins.
--
-- Properties: at most one node is in the critical section; there is exactly one
-- token; nobody is the next after two others; a request is in one place; nobody
-- is given its own request to answer. In the critical section everyone writes a
-- line into a book: at the end of the day it has all of them.

const
  node_count: 3;
  turn_count: 2;  -- how often each user enters before the day ends
  nobody: node_count;

type
  node: 0..node_count - 1;
  maybe_node: 0..nobody;
  turn: 0..turn_count;
  line: 1..node_count * turn_count;
  user_step: enum { resting, thinking, waiting, inside, done, leaving };
  manager_step: enum { listening, deciding };

var
  -- of the users
  user: array [node] of user_step;
  turns: array [node] of turn;  -- how often it was inside today

  -- of the nodes: users and managers share them
  wants: array [node] of boolean;  -- from asking until it leaves
  has_token: array [node] of boolean;
  last: array [node] of maybe_node;  -- whom it takes for the last; nobody: itself
  next: array [node] of maybe_node;  -- who gets the token after it

  -- of the managers
  manager: array [node] of manager_step;
  asked_by: array [node] of maybe_node;  -- whose request it has taken in

  -- the buffers
  request: array [node] of array [node] of boolean;  -- by receiver, and by who asks
  token: array [node] of boolean;                    -- on its way to a node

  -- what the critical section protects
  book: array [line] of maybe_node;  -- who was inside, visit by visit

startstate "the first node has the token"
begin
  for n: node do
    user[n] := resting;
    turns[n] := 0;
    wants[n] := false;
    has_token[n] := (n = 0);
    last[n] := (n = 0 ? nobody : 0);
    next[n] := nobody;
    manager[n] := listening;
    asked_by[n] := nobody;
    token[n] := false;
    for asking: node do
      request[n][asking] := false;
    end;
  end;
  for l: line do
    book[l] := nobody;
  end;
end;

-- Users

ruleset n: node do
  rule "get up"
    user[n] = resting & turns[n] < turn_count
  ==>
  begin
    user[n] := thinking;
  end;

  rule "want to enter, and be the last anyway"
    user[n] = thinking & last[n] = nobody
  ==>
  begin
    wants[n] := true;
    user[n] := waiting;
  end;

  ruleset other: node do
    rule "want to enter, and ask the last"
      user[n] = thinking & last[n] = other
    ==>
    begin
      wants[n] := true;
      request[other][n] := true;
      last[n] := nobody;
      user[n] := waiting;
    end;
  end;

  rule "the token arrives"
    user[n] = waiting & token[n]
  ==>
  begin
    token[n] := false;
    has_token[n] := true;
  end;

  rule "enter"
    user[n] = waiting & has_token[n]
  ==>
  begin
    user[n] := inside;
  end;

  ruleset l: line do
    rule "write into the next line"
      user[n] = inside & book[l] = nobody & forall before: line do before < l -> book[before] != nobody end
    ==>
    begin
      book[l] := n;
      turns[n] := turns[n] + 1;
      user[n] := done;
    end;
  end;

  rule "leave"
    user[n] = done
  ==>
  begin
    wants[n] := false;
    user[n] := leaving;
  end;

  rule "keep the token"
    user[n] = leaving & next[n] = nobody
  ==>
  begin
    user[n] := resting;
  end;

  ruleset other: node do
    rule "hand the token on"
      user[n] = leaving & next[n] = other
    ==>
    begin
      token[other] := true;
      has_token[n] := false;
      next[n] := nobody;
      user[n] := resting;
    end;
  end;
end;

-- Managers

ruleset n: node; asking: node do
  rule "take a request in"
    manager[n] = listening & request[n][asking]
  ==>
  begin
    request[n][asking] := false;
    asked_by[n] := asking;
    manager[n] := deciding;
  end;

  ruleset other: node do
    rule "pass a request on"
      manager[n] = deciding & asked_by[n] = asking & last[n] = other
    ==>
    begin
      assert asking != n "nobody answers itself";
      request[other][asking] := true;
      last[n] := asking;
      asked_by[n] := nobody;
      manager[n] := listening;
    end;
  end;

  rule "let it wait behind this node"
    manager[n] = deciding & asked_by[n] = asking & last[n] = nobody & wants[n]
  ==>
  begin
    assert next[n] = nobody "one waits behind a node";
    next[n] := asking;
    last[n] := asking;
    asked_by[n] := nobody;
    manager[n] := listening;
  end;

  rule "give the idle token away"
    manager[n] = deciding & asked_by[n] = asking & last[n] = nobody & !wants[n]
  ==>
  begin
    assert has_token[n] "who is the last and wants nothing has the token";
    has_token[n] := false;
    token[asking] := true;
    last[n] := asking;
    asked_by[n] := nobody;
    manager[n] := listening;
  end;
end;

rule "a new day begins"
  forall n: node do
    user[n] = resting & turns[n] = turn_count & manager[n] = listening
  end
==>
begin
  for l: line do
    assert book[l] != nobody "a line for each visit";
    book[l] := nobody;
  end;
  for n: node do
    turns[n] := 0;
  end;
end;

invariant "mutual exclusion"
  forall n: node do forall m: node do
    n != m -> !((user[n] = inside | user[n] = done) & (user[m] = inside | user[m] = done))
  end end;

invariant "who is inside has the token"
  forall n: node do
    user[n] = inside | user[n] = done -> has_token[n]
  end;

invariant "there is at most one token"
  forall n: node do forall m: node do
    !(has_token[n] & token[m]) & (n != m -> !(has_token[n] & has_token[m]) & !(token[n] & token[m]))
  end end;

invariant "there is a token"
  exists n: node do has_token[n] | token[n] end;

invariant "nobody is the next after two others"
  forall n: node do forall m: node do
    n != m & next[n] != nobody -> next[n] != next[m]
  end end;

invariant "a request is in one place"
  forall n: node do forall m: node do forall asking: node do
    n != m -> !(request[n][asking] & request[m][asking])
  end end end;
