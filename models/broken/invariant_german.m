-- German's directory protocol with an impatient home node.
--
-- Clients ask a home node for a shared or an exclusive copy of one cache line.
-- Home serves one request at a time: it invalidates the copies that are in the
-- way, collects the acknowledgements and grants the request.
--
-- The bug: home grants an exclusive copy as soon as all invalidations have been
-- sent, instead of when they have been acknowledged. A sharer that has not seen
-- its invalidation yet then still reads the old value. The correct protocol is in
-- models/german.m.
--
-- Abstraction: a single line; data are interchangeable values, so that they form
-- a scalarset, and a store writes any value.
--
-- Property: an exclusive copy excludes all others (violated).

const
  client_count: 3;
  value_count: 2;

type
  client: scalarset(client_count);
  value: scalarset(value_count);
  permission: enum { invalid, shared, exclusive };
  request_kind: enum { no_request, request_shared, request_exclusive };
  order_kind: enum { no_order, order_invalidate, grant_shared, grant_exclusive };

  cache_line: record
    held: permission;
    content: value;
  end;
  order: record
    kind: order_kind;
    content: value;
  end;
  acknowledgement: record
    present: boolean;
    content: value;
  end;

var
  cache: array [client] of cache_line;
  request: array [client] of request_kind;         -- client to home
  to_client: array [client] of order;              -- home to client
  from_client: array [client] of acknowledgement;  -- client to home

  -- Home.
  memory: value;
  serving: request_kind;
  requester: client;
  sharer: array [client] of boolean;
  to_invalidate: array [client] of boolean;
  exclusive_granted: boolean;

  -- For the property only.
  last_stored: value;

ruleset initial: value do
  startstate "memory only"
  begin
    undefine cache;
    undefine to_client;
    undefine from_client;
    undefine requester;
    for c: client do
      cache[c].held := invalid;
      request[c] := no_request;
      to_client[c].kind := no_order;
      from_client[c].present := false;
      sharer[c] := false;
      to_invalidate[c] := false;
    end;
    memory := initial;
    last_stored := initial;
    serving := no_request;
    exclusive_granted := false;
  end;
end;

ruleset c: client do

  ------------------------------------------------------------------ the client

  ruleset v: value do
    rule "store"
      cache[c].held = exclusive
    ==>
    begin
      cache[c].content := v;
      last_stored := v;
    end;
  end;

  rule "ask for a shared copy"
    request[c] = no_request & cache[c].held = invalid
  ==>
  begin
    request[c] := request_shared;
  end;

  rule "ask for an exclusive copy"
    request[c] = no_request & cache[c].held != exclusive
  ==>
  begin
    request[c] := request_exclusive;
  end;

  rule "obey an invalidation"
    to_client[c].kind = order_invalidate & !from_client[c].present
  ==>
  begin
    to_client[c].kind := no_order;
    from_client[c].present := true;
    if cache[c].held = exclusive then
      from_client[c].content := cache[c].content;
    end;
    cache[c].held := invalid;
    undefine cache[c].content;
  end;

  rule "receive a shared copy"
    to_client[c].kind = grant_shared
  ==>
  begin
    cache[c].held := shared;
    cache[c].content := to_client[c].content;
    to_client[c].kind := no_order;
    undefine to_client[c].content;
  end;

  rule "receive an exclusive copy"
    to_client[c].kind = grant_exclusive
  ==>
  begin
    cache[c].held := exclusive;
    cache[c].content := to_client[c].content;
    to_client[c].kind := no_order;
    undefine to_client[c].content;
  end;

  ---------------------------------------------------------------------- home

  rule "accept a request"
    serving = no_request & request[c] != no_request
  ==>
  begin
    serving := request[c];
    request[c] := no_request;
    requester := c;
    for d: client do
      to_invalidate[d] := sharer[d];
    end;
  end;

  rule "send an invalidation"
    to_invalidate[c] & to_client[c].kind = no_order
    & (serving = request_exclusive | (serving = request_shared & exclusive_granted))
  ==>
  begin
    to_client[c].kind := order_invalidate;
    to_invalidate[c] := false;
  end;

  rule "collect an acknowledgement"
    serving != no_request & from_client[c].present
  ==>
  begin
    from_client[c].present := false;
    sharer[c] := false;
    if exclusive_granted then
      exclusive_granted := false;
      memory := from_client[c].content;
      undefine from_client[c].content;
    end;
  end;

end;

rule "grant a shared copy"
  serving = request_shared & !exclusive_granted
  & to_client[requester].kind = no_order
==>
begin
  to_client[requester].kind := grant_shared;
  to_client[requester].content := memory;
  sharer[requester] := true;
  serving := no_request;
  undefine requester;
end;

rule "grant an exclusive copy"
  serving = request_exclusive
  & to_client[requester].kind = no_order
  & forall c: client do !to_invalidate[c] end
==>
begin
  to_client[requester].kind := grant_exclusive;
  to_client[requester].content := memory;
  sharer[requester] := true;
  exclusive_granted := true;
  serving := no_request;
  undefine requester;
end;

invariant "an exclusive copy excludes all others"
  forall c: client do
    forall d: client do
      c != d & cache[c].held = exclusive -> cache[d].held = invalid
    end
  end;
