-- The distributed data base of K. Jensen (Coloured Petri nets and the invariant method, 1981): the
-- managers of a data base keep their copies equal. A manager that has changed its copy asks all
-- others to do the same, and waits until all have acknowledged it; only one may do so at a time.
-- 1 + Nodes * 3^(Nodes-1) states.

const
  Nodes: 8;

type
  Node: 1..Nodes;
  Manager: enum { Inactive, Waiting, Performing };
  Message: enum { Unused, Sent, Received, Acknowledged };

var
  manager: array [Node] of Manager;
  -- From a manager to another one.
  message: array [Node] of array [Node] of Message;
  exclusion: boolean;

startstate
begin
  for n: Node do
    manager[n] := Inactive;
    for m: Node do
      message[n][m] := Unused;
    end;
  end;
  exclusion := true;
end;

ruleset sender: Node do
  rule "update and send messages"
    exclusion & manager[sender] = Inactive
  ==>
  begin
    exclusion := false;
    manager[sender] := Waiting;
    for n: Node do
      if n != sender then
        message[sender][n] := Sent;
      end;
    end;
  end;

  rule "receive all acknowledgements"
    manager[sender] = Waiting
    & forall n: Node do n = sender | message[sender][n] = Acknowledged end
  ==>
  begin
    for n: Node do
      message[sender][n] := Unused;
    end;
    manager[sender] := Inactive;
    exclusion := true;
  end;

  ruleset receiver: Node do
    rule "receive a message"
      manager[receiver] = Inactive & message[sender][receiver] = Sent
    ==>
    begin
      manager[receiver] := Performing;
      message[sender][receiver] := Received;
    end;

    rule "acknowledge"
      manager[receiver] = Performing & message[sender][receiver] = Received
    ==>
    begin
      manager[receiver] := Inactive;
      message[sender][receiver] := Acknowledged;
    end;
  end;
end;

invariant "at most one update"
  forall n: Node do
    forall m: Node do
      manager[n] = Waiting & manager[m] = Waiting -> n = m
    end
  end;

invariant "a manager that performs was asked"
  forall n: Node do
    manager[n] = Performing -> exists m: Node do message[m][n] = Received end
  end;
