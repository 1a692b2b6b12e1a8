-- A MESI cache-coherence protocol with a directory, three-hop forwarding and
-- three unordered virtual networks.
--
-- Every memory line has a directory entry at home. A cache sends its requests to
-- home. Home answers from memory, or forwards the request to the owner, which
-- answers the requester directly; for a writer home sends invalidations to the
-- sharers, which acknowledge to the requester, and tells the requester how many
-- acknowledgements to expect. The entry stays blocked until the requester reports
-- that it is done. Evictions are requests too: home acknowledges them, and a cache
-- that is evicting still answers whatever home forwarded before it knew.
--
--   cache states                          messages on the way
--   I, S, E, M     stable                 requests   cache -> home
--   IS             reading                forwards   home  -> cache
--   IM, SM         writing                responses  anyone -> anyone
--   SI, EI, MI, II evicting
--
-- A cache that is the only reader gets the line exclusive (E) and may later write
-- without asking.
--
-- Abstraction: no message is lost, and every inbox is a multiset, from which
-- messages are taken in any order. Values are interchangeable and a store writes
-- any of them. Lines do not interact, and by default there is one.
--
-- Properties: one writer or many readers; a load returns the value stored last;
-- the directory knows who holds what whenever the entry is not blocked; memory is
-- up to date unless some cache owns the line; messages are well formed, arrive
-- where they are understood, and never fill an inbox; no deadlock.

const
  cache_count: 3;
  line_count: 1;
  value_count: 2;
  request_slots: cache_count * line_count;
  forward_slots: 2 * line_count;
  response_slots: (cache_count + 1) * line_count;

type
  ------------------------------------------------------------------- the machine
  cache: scalarset(cache_count);
  line: scalarset(line_count);
  value: scalarset(value_count);
  home_node: enum { home };
  node: union { home_node, cache };
  cache_total: 0..cache_count;

  ------------------------------------------------------------------- the messages
  message_kind: enum {
    -- Requests, from a cache to home.
    get_shared,
    get_modified,
    put_shared,
    put_exclusive,
    put_modified,
    -- Forwards, from home to a cache.
    forward_get_shared,
    forward_get_modified,
    invalidate,
    put_acknowledged,
    -- Responses.
    data_shared,
    data_exclusive,
    data_modified,
    upgrade_granted,
    invalidate_acknowledged,
    data_to_home,
    request_done
  };
  message: record
    kind: message_kind;
    about: line;
    sender: node;
    requester: cache;       -- of a forward: whom to answer
    expected: cache_total;  -- of an answer to a writer: acknowledgements
    content: value;         -- of whatever carries data
  end;

  --------------------------------------------------------------------- the caches
  cache_state: enum {
    cache_I, cache_S, cache_E, cache_M,
    cache_IS,                      -- waits for data
    cache_IM,                      -- waits for data and acknowledgements
    cache_SM,                      -- the same, and can still read
    cache_SI, cache_EI, cache_MI,  -- wait for home to acknowledge the eviction
    cache_II                       -- the same, having given the line away meanwhile
  };
  cache_entry: record
    state: cache_state;
    content: value;
    answered: boolean;      -- the answer to a write request has arrived
    expected: cache_total;  -- acknowledgements that the answer announced
    received: cache_total;  -- acknowledgements that have arrived
  end;

  ------------------------------------------------------------------ the directory
  directory_state: enum { directory_uncached, directory_shared, directory_owned };
  directory_entry: record
    state: directory_state;
    memory: value;
    owner: cache;
    sharer: array [cache] of boolean;
    blocked: boolean;
    -- While blocked: what will be true when the requester is done.
    requester: cache;
    awaits_data: boolean;  -- the old owner's copy has not arrived yet
    awaits_requester: boolean;
  end;

var
  entry: array [cache] of array [line] of cache_entry;
  directory: array [line] of directory_entry;

  request_inbox: multiset [request_slots] of message;  -- home's
  forward_inbox: array [cache] of multiset [forward_slots] of message;
  response_inbox: array [node] of multiset [response_slots] of message;

  -- For the properties only.
  last_stored: array [line] of value;

-------------------------------------------------------------------------------
-- Messages
-------------------------------------------------------------------------------

function new_message(kind: message_kind; about: line; sender: node): message;
var
  fresh: message;
begin
  undefine fresh;
  fresh.kind := kind;
  fresh.about := about;
  fresh.sender := sender;
  return fresh;
end;

function carries_data(kind: message_kind): boolean;
begin
  switch kind
  case put_modified, data_shared, data_exclusive, data_modified, data_to_home:
    return true;
  else
    return false;
  end;
end;

function answers_writer(kind: message_kind): boolean;
begin
  return kind = data_modified | kind = upgrade_granted;
end;

function names_requester(kind: message_kind): boolean;
begin
  switch kind
  case forward_get_shared, forward_get_modified, invalidate:
    return true;
  else
    return false;
  end;
end;

procedure send_request(kind: message_kind; about: line; sender: cache);
var
  letter: message;
begin
  letter := new_message(kind, about, sender);
  if carries_data(kind) then
    letter.content := entry[sender][about].content;
  end;
  multisetadd(letter, request_inbox);
end;

procedure send_forward(receiver: cache; kind: message_kind; about: line; requester: cache);
var
  letter: message;
begin
  letter := new_message(kind, about, home);
  letter.requester := requester;
  multisetadd(letter, forward_inbox[receiver]);
end;

procedure send_put_acknowledged(receiver: cache; about: line);
var
  letter: message;
begin
  letter := new_message(put_acknowledged, about, home);
  multisetadd(letter, forward_inbox[receiver]);
end;

procedure send_response(receiver: node; kind: message_kind; about: line; sender: node);
var
  letter: message;
begin
  letter := new_message(kind, about, sender);
  multisetadd(letter, response_inbox[receiver]);
end;

procedure send_data(
  receiver: node;
  kind: message_kind;
  about: line;
  sender: node;
  content: value;
);
var
  letter: message;
begin
  letter := new_message(kind, about, sender);
  letter.content := content;
  multisetadd(letter, response_inbox[receiver]);
end;

procedure send_data_to_writer(
  receiver: cache;
  about: line;
  sender: node;
  content: value;
  expected: cache_total;
);
var
  letter: message;
begin
  letter := new_message(data_modified, about, sender);
  letter.content := content;
  letter.expected := expected;
  multisetadd(letter, response_inbox[receiver]);
end;

procedure send_upgrade_granted(receiver: cache; about: line; expected: cache_total);
var
  letter: message;
begin
  letter := new_message(upgrade_granted, about, home);
  letter.expected := expected;
  multisetadd(letter, response_inbox[receiver]);
end;

-------------------------------------------------------------------------------
-- The directory
-------------------------------------------------------------------------------

function sharer_total(l: line): cache_total;
var
  total: cache_total;
begin
  total := 0;
  for c: cache do
    if directory[l].sharer[c] then
      total := total + 1;
    end;
  end;
  return total;
end;

procedure block(l: line; requester: cache);
begin
  directory[l].blocked := true;
  directory[l].requester := requester;
  directory[l].awaits_requester := true;
  directory[l].awaits_data := false;
end;

-- Unblocks the entry once everything that was awaited is there.
procedure unblock_if_done(l: line);
begin
  alias home_entry: directory[l] do
    if !home_entry.awaits_data & !home_entry.awaits_requester then
      home_entry.blocked := false;
      undefine home_entry.requester;
    end;
  end;
end;

procedure home_get_shared(l: line; requester: cache);
begin
  block(l, requester);
  alias home_entry: directory[l] do
    switch home_entry.state
    case directory_uncached:
      send_data(requester, data_exclusive, l, home, home_entry.memory);
      home_entry.state := directory_owned;
      home_entry.owner := requester;

    case directory_shared:
      assert !home_entry.sharer[requester] "a reader has no copy yet";
      send_data(requester, data_shared, l, home, home_entry.memory);
      home_entry.sharer[requester] := true;

    case directory_owned:
      assert home_entry.owner != requester "a reader is not the owner";
      send_forward(home_entry.owner, forward_get_shared, l, requester);
      home_entry.sharer[home_entry.owner] := true;
      home_entry.sharer[requester] := true;
      home_entry.state := directory_shared;
      home_entry.awaits_data := true;
      undefine home_entry.owner;
    end;
  end;
end;

procedure home_get_modified(l: line; requester: cache);
var
  others: cache_total;
  upgrade: boolean;
begin
  block(l, requester);
  alias home_entry: directory[l] do
    switch home_entry.state
    case directory_uncached:
      send_data_to_writer(requester, l, home, home_entry.memory, 0);

    case directory_shared:
      upgrade := home_entry.sharer[requester];
      others := sharer_total(l) - (upgrade ? 1 : 0);
      for c: cache do
        if home_entry.sharer[c] & c != requester then
          send_forward(c, invalidate, l, requester);
        end;
        home_entry.sharer[c] := false;
      end;
      if upgrade then
        send_upgrade_granted(requester, l, others);
      else
        send_data_to_writer(requester, l, home, home_entry.memory, others);
      end;

    case directory_owned:
      assert home_entry.owner != requester "a writer is not the owner yet";
      send_forward(home_entry.owner, forward_get_modified, l, requester);
    end;
    home_entry.state := directory_owned;
    home_entry.owner := requester;
  end;
end;

-- A cache gives its copy up. If the copy was downgraded or taken away while the
-- request was on its way, only what is left of it is given up.
procedure home_put(l: line; sender: cache);
begin
  alias home_entry: directory[l] do
    if home_entry.state = directory_owned & home_entry.owner = sender then
      home_entry.state := directory_uncached;
      undefine home_entry.owner;
    elsif home_entry.state = directory_shared & home_entry.sharer[sender] then
      home_entry.sharer[sender] := false;
      if sharer_total(l) = 0 then
        home_entry.state := directory_uncached;
      end;
    end;
  end;
  send_put_acknowledged(sender, l);
end;

procedure home_put_modified(l: line; sender: cache; content: value);
begin
  if directory[l].state = directory_owned & directory[l].owner = sender then
    directory[l].memory := content;
  end;
  home_put(l, sender);
end;

-------------------------------------------------------------------------------
-- The caches
-------------------------------------------------------------------------------

function can_read(state: cache_state): boolean;
begin
  switch state
  case cache_S, cache_E, cache_M, cache_SM:
    return true;
  else
    return false;
  end;
end;

function can_write(state: cache_state): boolean;
begin
  return state = cache_E | state = cache_M;
end;

-- Holds the only copy, as far as home knows.
function owns(state: cache_state): boolean;
begin
  return can_write(state) | state = cache_EI | state = cache_MI;
end;

procedure forget(var mine: cache_entry; state: cache_state);
begin
  mine.state := state;
  undefine mine.content;
end;

procedure begin_write(var mine: cache_entry; state: cache_state);
begin
  mine.state := state;
  mine.answered := false;
  mine.expected := 0;
  mine.received := 0;
end;

-- A write request is complete when the answer and all acknowledgements are there.
procedure finish_write_if_done(c: cache; l: line);
begin
  alias mine: entry[c][l] do
    if mine.answered & mine.expected = mine.received then
      mine.state := cache_M;
      undefine mine.answered;
      undefine mine.expected;
      undefine mine.received;
      send_response(home, request_done, l, c);
    end;
  end;
end;

procedure cache_forward_get_shared(c: cache; l: line; requester: cache);
begin
  alias mine: entry[c][l] do
    assert owns(mine.state) "only an owner is asked to share";
    send_data(requester, data_shared, l, c, mine.content);
    send_data(home, data_to_home, l, c, mine.content);
    if can_write(mine.state) then
      mine.state := cache_S;
    else
      mine.state := cache_SI;
    end;
  end;
end;

procedure cache_forward_get_modified(c: cache; l: line; requester: cache);
begin
  alias mine: entry[c][l] do
    assert owns(mine.state) "only an owner is asked to give the line away";
    send_data_to_writer(requester, l, c, mine.content, 0);
    forget(mine, can_write(mine.state) ? cache_I : cache_II);
  end;
end;

procedure cache_invalidate(c: cache; l: line; requester: cache);
begin
  alias mine: entry[c][l] do
    switch mine.state
    case cache_S:
      forget(mine, cache_I);
    case cache_SI:
      forget(mine, cache_II);
    case cache_SM:
      -- The own request is still in home's inbox: it will be answered with data.
      forget(mine, cache_IM);
    else
      error "an invalidation reached a cache without a shared copy";
    end;
  end;
  send_response(requester, invalidate_acknowledged, l, c);
end;

procedure cache_put_acknowledged(c: cache; l: line);
begin
  alias mine: entry[c][l] do
    switch mine.state
    case cache_SI, cache_EI, cache_MI, cache_II:
      forget(mine, cache_I);
    else
      error "an acknowledgement without an eviction";
    end;
  end;
end;

procedure cache_data_for_reader(c: cache; l: line; state: cache_state; content: value);
begin
  alias mine: entry[c][l] do
    assert mine.state = cache_IS "data for a reader";
    mine.state := state;
    mine.content := content;
  end;
  send_response(home, request_done, l, c);
end;

-------------------------------------------------------------------------------
-- Start
-------------------------------------------------------------------------------

ruleset initial: value do
  startstate "memory only"
  begin
    undefine entry;
    undefine directory;
    undefine request_inbox;
    undefine forward_inbox;
    undefine response_inbox;
    for l: line do
      for c: cache do
        entry[c][l].state := cache_I;
        directory[l].sharer[c] := false;
      end;
      directory[l].state := directory_uncached;
      directory[l].memory := initial;
      directory[l].blocked := false;
      directory[l].awaits_data := false;
      directory[l].awaits_requester := false;
      last_stored[l] := initial;
    end;
  end;
end;

-------------------------------------------------------------------------------
-- What processors do
-------------------------------------------------------------------------------

ruleset c: cache; l: line do
  alias mine: entry[c][l] do

    rule "load"
      can_read(mine.state)
    ==>
    begin
      assert mine.content = last_stored[l] "a load returns the value stored last";
    end;

    ruleset v: value do
      rule "store"
        can_write(mine.state)
      ==>
      begin
        mine.state := cache_M;
        mine.content := v;
        last_stored[l] := v;
      end;
    end;

    rule "miss on a load"
      mine.state = cache_I
    ==>
    begin
      send_request(get_shared, l, c);
      mine.state := cache_IS;
    end;

    rule "miss on a store"
      mine.state = cache_I
    ==>
    begin
      send_request(get_modified, l, c);
      begin_write(mine, cache_IM);
    end;

    rule "store to a shared copy"
      mine.state = cache_S
    ==>
    begin
      send_request(get_modified, l, c);
      begin_write(mine, cache_SM);
    end;

    rule "evict"
      mine.state = cache_S | mine.state = cache_E | mine.state = cache_M
    ==>
    begin
      switch mine.state
      case cache_S:
        send_request(put_shared, l, c);
        mine.state := cache_SI;
      case cache_E:
        send_request(put_exclusive, l, c);
        mine.state := cache_EI;
      case cache_M:
        send_request(put_modified, l, c);
        mine.state := cache_MI;
      end;
    end;

  end;
end;

-------------------------------------------------------------------------------
-- What home does
-------------------------------------------------------------------------------

choose m: request_inbox do
  alias letter: request_inbox[m] do
    alias home_entry: directory[letter.about] do

      rule "home takes a request"
        !home_entry.blocked
      ==>
      begin
        switch letter.kind
        case get_shared:
          home_get_shared(letter.about, letter.sender);
        case get_modified:
          home_get_modified(letter.about, letter.sender);
        case put_shared, put_exclusive:
          home_put(letter.about, letter.sender);
        case put_modified:
          home_put_modified(letter.about, letter.sender, letter.content);
        else
          error "not a request";
        end;
        multisetremove(m, request_inbox);
      end;

    end;
  end;
end;

choose m: response_inbox[home] do
  alias letter: response_inbox[home][m] do
    alias home_entry: directory[letter.about] do

      rule "home takes the old owner's copy"
        letter.kind = data_to_home
      ==>
      begin
        assert home_entry.blocked & home_entry.awaits_data "a copy is awaited";
        home_entry.memory := letter.content;
        home_entry.awaits_data := false;
        unblock_if_done(letter.about);
        multisetremove(m, response_inbox[home]);
      end;

      rule "home hears that a request is done"
        letter.kind = request_done
      ==>
      begin
        assert home_entry.blocked & letter.sender = home_entry.requester
          "the requester is awaited";
        home_entry.awaits_requester := false;
        unblock_if_done(letter.about);
        multisetremove(m, response_inbox[home]);
      end;

    end;
  end;
end;

-------------------------------------------------------------------------------
-- What caches do
-------------------------------------------------------------------------------

ruleset c: cache do

  choose m: forward_inbox[c] do
    alias letter: forward_inbox[c][m] do

      rule "cache takes a forward"
        letter.sender = home
      ==>
      begin
        switch letter.kind
        case forward_get_shared:
          cache_forward_get_shared(c, letter.about, letter.requester);
        case forward_get_modified:
          cache_forward_get_modified(c, letter.about, letter.requester);
        case invalidate:
          cache_invalidate(c, letter.about, letter.requester);
        case put_acknowledged:
          cache_put_acknowledged(c, letter.about);
        else
          error "not a forward";
        end;
        multisetremove(m, forward_inbox[c]);
      end;

    end;
  end;

  choose m: response_inbox[c] do
    alias letter: response_inbox[c][m] do
      alias mine: entry[c][letter.about] do

        rule "reader takes data"
          letter.kind = data_shared | letter.kind = data_exclusive
        ==>
        begin
          cache_data_for_reader(
            c, letter.about,
            letter.kind = data_shared ? cache_S : cache_E,
            letter.content);
          multisetremove(m, response_inbox[c]);
        end;

        rule "writer takes data"
          letter.kind = data_modified
        ==>
        begin
          assert mine.state = cache_IM & !mine.answered "data for a writer";
          mine.content := letter.content;
          mine.answered := true;
          mine.expected := letter.expected;
          finish_write_if_done(c, letter.about);
          multisetremove(m, response_inbox[c]);
        end;

        rule "writer may keep its data"
          letter.kind = upgrade_granted
        ==>
        begin
          assert mine.state = cache_SM & !mine.answered "an upgrade for a sharer";
          mine.answered := true;
          mine.expected := letter.expected;
          finish_write_if_done(c, letter.about);
          multisetremove(m, response_inbox[c]);
        end;

        rule "writer takes an acknowledgement"
          letter.kind = invalidate_acknowledged
        ==>
        begin
          assert mine.state = cache_IM | mine.state = cache_SM
            "acknowledgements go to a writer";
          mine.received := mine.received + 1;
          finish_write_if_done(c, letter.about);
          multisetremove(m, response_inbox[c]);
        end;

      end;
    end;
  end;

end;

-------------------------------------------------------------------------------
-- Properties
-------------------------------------------------------------------------------

ruleset l: line do

  invariant "one writer or many readers"
    forall c: cache do
      can_write(entry[c][l].state)
      -> forall d: cache do d != c -> !can_read(entry[d][l].state) end
    end;

  invariant "readable copies are up to date"
    forall c: cache do
      can_read(entry[c][l].state) -> entry[c][l].content = last_stored[l]
    end;

  invariant "memory is up to date unless the line is owned"
    !directory[l].blocked & directory[l].state != directory_owned
    -> directory[l].memory = last_stored[l];

  invariant "an open directory entry is exact"
    !directory[l].blocked
    -> forall c: cache do
      (owns(entry[c][l].state)
        -> (directory[l].state = directory_owned & directory[l].owner = c)
        -- or home has taken the eviction and the acknowledgement is on its way
        | multisetcount(m: forward_inbox[c],
          forward_inbox[c][m].kind = put_acknowledged
          & forward_inbox[c][m].about = l) = 1)
      & (directory[l].sharer[c]
        -> directory[l].state = directory_shared
        & (entry[c][l].state = cache_S | entry[c][l].state = cache_SI
          | entry[c][l].state = cache_SM))
    end;

  invariant "an owned line has no sharers and a shared one has some"
    (directory[l].state = directory_shared) = (sharer_total(l) > 0);

  invariant "an eviction is on its way or acknowledged, once"
    forall c: cache do
      ((entry[c][l].state = cache_SI | entry[c][l].state = cache_EI
        | entry[c][l].state = cache_MI | entry[c][l].state = cache_II)
        ? 1 : 0)
      = multisetcount(m: request_inbox,
        request_inbox[m].about = l & request_inbox[m].sender = c
        & (request_inbox[m].kind = put_shared
          | request_inbox[m].kind = put_exclusive
          | request_inbox[m].kind = put_modified))
      + multisetcount(m: forward_inbox[c],
        forward_inbox[c][m].kind = put_acknowledged
        & forward_inbox[c][m].about = l)
    end;

end;

invariant "requests are well formed"
  multisetcount(m: request_inbox,
    !ismember(request_inbox[m].sender, cache)
    | isundefined(request_inbox[m].content) = carries_data(request_inbox[m].kind)) = 0;

ruleset c: cache do

  invariant "forwards are well formed"
    multisetcount(m: forward_inbox[c],
      !ismember(forward_inbox[c][m].sender, home_node)
      | isundefined(forward_inbox[c][m].requester)
      = names_requester(forward_inbox[c][m].kind)) = 0;

  invariant "responses are well formed"
    multisetcount(m: response_inbox[c],
      isundefined(response_inbox[c][m].content)
      = carries_data(response_inbox[c][m].kind)
      | isundefined(response_inbox[c][m].expected)
      = answers_writer(response_inbox[c][m].kind)) = 0;

end;
