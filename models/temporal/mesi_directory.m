-- A MESI directory without data and without evictions (models/mesi_directory.m has both): does
-- every miss get its copy? Home chooses among the requests that wait, and is busy now and then, so
-- the choice must be strongly fair; all else happens by weak fairness.

const
  caches: 3;
  obeys: 1;  -- 0: who owns the line keeps it
type
  cache: 1..caches;
  anybody: 0..caches;  -- 0: home serves no request

var
  state: array [cache] of enum { invalid, shared, exclusive, modified, reading, writing };
  request: array [cache] of enum { no_request, get_shared, get_modified };
  forward: array [cache] of enum { no_forward, downgrade, invalidate };
  answer: array [cache] of enum { no_answer, as_shared, as_exclusive, as_modified };
  serving: enum { nothing, reader, writer };
  requester: anybody;
  holds: array [cache] of boolean;  -- as far as home knows

startstate
begin
  clear state;
  clear request;
  clear forward;
  clear answer;
  clear serving;
  requester := 0;
  clear holds;
end;

ruleset c: cache do
  -- What a processor does, as it likes.
  rule "miss on a load" state[c] = invalid ==>
  begin
    state[c] := reading;
    request[c] := get_shared;
  end;

  rule "miss on a store" state[c] = invalid | state[c] = shared ==>
  begin
    state[c] := writing;
    request[c] := get_modified;
  end;

  rule "store to the only copy" state[c] = exclusive ==> begin state[c] := modified; end;

  strong fair rule "home takes a request" requester = 0 & request[c] != no_request ==>
  begin
    requester := c;
    serving := request[c] = get_shared ? reader : writer;
    request[c] := no_request;
    holds[c] := false;
    for d: cache do
      if holds[d] then
        forward[d] := serving = reader ? downgrade : invalidate;
      end;
    end;
  end;

  fair rule "a cache obeys" forward[c] != no_forward & (obeys = 1 | state[c] != modified) ==>
  begin
    if forward[c] = downgrade then
      if state[c] = exclusive | state[c] = modified then state[c] := shared; end;
    else
      -- One that wants to write has asked for it, and waits in any case.
      if state[c] != writing & state[c] != reading then state[c] := invalid; end;
      holds[c] := false;
    end;
    forward[c] := no_forward;
  end;

  fair rule "home answers"
    requester = c & answer[c] = no_answer
    & forall d: cache do forward[d] = no_forward end ==>
  begin
    if serving = writer then
      answer[c] := as_modified;
    elsif exists d: cache do holds[d] end then
      answer[c] := as_shared;
    else
      answer[c] := as_exclusive;
    end;
    holds[c] := true;
  end;

  fair rule "a cache takes its answer" answer[c] != no_answer ==>
  begin
    switch answer[c]
    case as_shared:
      state[c] := shared;
    case as_exclusive:
      state[c] := exclusive;
    case as_modified:
      state[c] := modified;
    end;
    answer[c] := no_answer;
    requester := 0;
    serving := nothing;
  end;
end;

ltl "one writer or many readers"
  [] forall c: cache; d: cache do
    c = d | (state[c] != exclusive & state[c] != modified)
    | (state[d] != shared & state[d] != exclusive & state[d] != modified) end;
ltl "each miss is served"
  forall c: cache do
    state[c] = reading ~> (state[c] = shared | state[c] = exclusive) end;
ltl "each store comes about" forall c: cache do state[c] = writing ~> state[c] = modified end;
ltl "home comes back" [] <> (requester = 0);
liveness "each can write" forall c: cache do state[c] != writing end;
