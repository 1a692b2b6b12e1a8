-- Leader election in a one-way ring, after Chang and Roberts.
--
-- A node that wakes up sends its identity to its clockwise neighbour. A node
-- passes on an identity larger than its own and swallows a smaller one. The node
-- whose own identity comes back is the leader and tells the others.
--
-- Abstraction: channels are first-in first-out and lose nothing. Any subset of
-- the nodes may start the election, at any time. Identities are laid around the
-- ring in several orders, one start state for each.
--
-- Properties: the leader is the node with the largest identity among those that
-- took part; there is at most one; everyone who knows a leader knows the right
-- one. The election ends, and the model with it: run without deadlock checking.

const
  node_count: 5;
  capacity: node_count;

type
  position: 0..node_count - 1;
  identity: 1..node_count;
  message_kind: enum { candidate, elected };
  message: record
    kind: message_kind;
    name: identity;
  end;
  fill: 0..capacity;
  channel: record
    length: fill;
    slot: array [0..capacity - 1] of message;
  end;

var
  name: array [position] of identity;
  participating: array [position] of boolean;
  leader: array [position] of identity;  -- undefined: not known yet
  inbox: array [position] of channel;

function clockwise(p: position): position;
begin
  return (p + 1) % node_count;
end;

procedure send(to_node: position; kind: message_kind; carried: identity);
begin
  alias box: inbox[to_node] do
    box.slot[box.length].kind := kind;
    box.slot[box.length].name := carried;
    box.length := box.length + 1;
  end;
end;

procedure drop_first(var box: channel);
begin
  if box.length > 1 then
    for i := 1 to box.length - 1 do
      box.slot[i - 1] := box.slot[i];
    end;
  end;
  box.length := box.length - 1;
  undefine box.slot[box.length];
end;

-- A prime number of nodes: every stride visits all of them.
ruleset stride: 1..node_count - 1 do
  startstate "asleep"
  begin
    undefine inbox;
    undefine leader;
    for p: position do
      name[p] := 1 + (p * stride) % node_count;
      participating[p] := false;
      inbox[p].length := 0;
    end;
  end;
end;

ruleset p: position do

  rule "wake up"
    !participating[p] & isundefined(leader[p])
  ==>
  begin
    participating[p] := true;
    send(clockwise(p), candidate, name[p]);
  end;

  rule "receive"
    inbox[p].length > 0
  ==>
  var
    kind: message_kind;
    carried: identity;
  begin
    kind := inbox[p].slot[0].kind;
    carried := inbox[p].slot[0].name;
    drop_first(inbox[p]);
    switch kind
    case candidate:
      if carried > name[p] then
        participating[p] := true;
        send(clockwise(p), candidate, carried);
      elsif carried = name[p] then
        leader[p] := name[p];
        send(clockwise(p), elected, name[p]);
      elsif !participating[p] then
        -- Smaller, and this node was asleep: compete in its place.
        participating[p] := true;
        send(clockwise(p), candidate, name[p]);
      end;
    case elected:
      if carried != name[p] then
        leader[p] := carried;
        send(clockwise(p), elected, carried);
      end;
    end;
  end;

end;

invariant "the leader took part and nobody who took part is larger"
  forall p: position do
    !isundefined(leader[p])
    -> forall q: position do participating[q] -> name[q] <= leader[p] end
  end;

invariant "one leader"
  forall p: position do
    forall q: position do
      !isundefined(leader[p]) & !isundefined(leader[q]) -> leader[p] = leader[q]
    end
  end;
