-- German's directory protocol without its data (models/german.m has them): does every request get
-- its answer? Home chooses among the requests that wait. A request can be accepted again and again,
-- but not all the time, so the choice must be strongly fair; all else happens by weak fairness.

const
  clients: 2;
  gives_up: 1;  -- 0: a client keeps its exclusive copy for ever
type
  client: 1..clients;
  anybody: 0..clients;  -- 0: home serves no request
  permission: enum { invalid, shared, exclusive };

var
  held: array [client] of permission;
  request: array [client] of permission;  -- invalid: there is none
  order: array [client] of enum { no_order, invalidate, grant_shared, grant_exclusive };
  acknowledged: array [client] of boolean;
  serving: permission;
  requester: anybody;
  sharer, to_invalidate: array [client] of boolean;
  exclusive_granted: boolean;

startstate
begin
  clear held;
  clear request;
  clear order;
  clear acknowledged;
  clear serving;
  requester := 0;
  clear sharer;
  clear to_invalidate;
  clear exclusive_granted;
end;

ruleset c: client do
  rule "ask for a shared copy" request[c] = invalid & held[c] = invalid ==>
  begin
    request[c] := shared;
  end;

  rule "ask for an exclusive copy" request[c] = invalid & held[c] != exclusive ==>
  begin
    request[c] := exclusive;
  end;

  strong fair rule "accept a request" serving = invalid & request[c] != invalid ==>
  begin
    serving := request[c];
    requester := c;
    request[c] := invalid;
    to_invalidate := sharer;
  end;

  fair rule "send an invalidation" to_invalidate[c] & order[c] = no_order
    & (serving = exclusive | serving = shared & exclusive_granted) ==>
  begin
    order[c] := invalidate;
    to_invalidate[c] := false;
  end;

  fair rule "obey an invalidation" order[c] = invalidate & !acknowledged[c]
    & (gives_up = 1 | held[c] != exclusive) ==>
  begin
    order[c] := no_order;
    acknowledged[c] := true;
    held[c] := invalid;
  end;

  fair rule "collect an acknowledgement" serving != invalid & acknowledged[c] ==>
  begin
    acknowledged[c] := false;
    sharer[c] := false;
    exclusive_granted := false;
  end;

  fair rule "receive a shared copy" order[c] = grant_shared ==>
  begin
    held[c] := shared;
    order[c] := no_order;
  end;

  fair rule "receive an exclusive copy" order[c] = grant_exclusive ==>
  begin
    held[c] := exclusive;
    order[c] := no_order;
  end;
end;

fair rule "grant a shared copy"
  serving = shared & !exclusive_granted & order[requester] = no_order ==>
begin
  order[requester] := grant_shared;
  sharer[requester] := true;
  serving := invalid;
  requester := 0;
end;

fair rule "grant an exclusive copy"
  serving = exclusive & order[requester] = no_order & forall c: client do !sharer[c] end ==>
begin
  order[requester] := grant_exclusive;
  sharer[requester] := true;
  exclusive_granted := true;
  serving := invalid;
  requester := 0;
end;

invariant "an exclusive copy excludes all others" forall c: client; d: client do
  c != d & held[c] = exclusive -> held[d] = invalid end;

ltl "each request is accepted" forall c: client do request[c] != invalid ~> requester = c end;
ltl "who is served gets its copy" forall c: client do
  requester = c ~> (order[c] = grant_shared | order[c] = grant_exclusive) end;
ltl "what is granted arrives" forall c: client do
  order[c] = grant_exclusive ~> held[c] = exclusive end;
liveness "home can be idle" requester = 0;
