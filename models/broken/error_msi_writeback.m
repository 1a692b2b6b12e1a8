-- An MSI cache-coherence protocol whose write-backs are not acknowledged.
--
-- Caches hold a line invalid, shared or modified. They ask the directory, which
-- recalls a modified copy from its owner or invalidates the shared copies before
-- it answers. The directory stays busy until the requester has confirmed that the
-- data arrived.
--
-- The bug: a cache that writes a modified line back forgets it at once, instead of
-- keeping the data until the directory has acknowledged the write-back. If the
-- directory has recalled the line meanwhile, the recall reaches a cache that has
-- nothing to give. The correct protocol is models/msi_directory.m.
--
-- Abstraction: one line. Every node has an inbox, a multiset from which messages
-- are taken in any order; nothing is lost. Data are interchangeable values.
--
-- Properties: one writer or many readers (holds as far as it goes); a recall
-- reaches an owner (an error statement, violated).

const
  cache_count: 3;
  value_count: 2;
  inbox_size: 2 * cache_count;

type
  cache: scalarset(cache_count);
  value: scalarset(value_count);
  home: enum { directory };
  node: union { home, cache };

  message_kind: enum {
    get_shared, get_modified, put_modified,  -- requests
    data, invalidate, recall,                -- from the directory
    data_arrived, invalidated, recalled      -- answers to the directory
  };
  message: record
    kind: message_kind;
    sender: node;
    content: value;
  end;

  cache_status: enum {
    invalid,
    shared,
    modified,
    invalid_to_shared,    -- waits for data
    invalid_to_modified,  -- waits for data
    shared_to_modified    -- waits for data, and may still read
  };
  cache_line: record
    status: cache_status;
    content: value;
  end;

  directory_status: enum {
    uncached,
    shared_somewhere,
    owned,
    awaiting_recall,       -- the owner must give the line back
    awaiting_invalidated,  -- the sharers must acknowledge
    awaiting_arrival       -- the requester must confirm that it has the data
  };

var
  line: array [cache] of cache_line;
  inbox: array [node] of multiset [inbox_size] of message;

  home_status: directory_status;
  home_memory: value;
  home_owner: cache;
  home_sharer: array [cache] of boolean;
  home_pending: array [cache] of boolean;  -- must still acknowledge
  home_requester: cache;
  home_serves_writer: boolean;

  last_stored: value;  -- for the property only

---------------------------------------------------------------------- messages

procedure send(receiver: node; kind: message_kind; sender: node);
var
  letter: message;
begin
  undefine letter;
  letter.kind := kind;
  letter.sender := sender;
  multisetadd(letter, inbox[receiver]);
end;

procedure send_data(receiver: node; kind: message_kind; sender: node; content: value);
var
  letter: message;
begin
  letter.kind := kind;
  letter.sender := sender;
  letter.content := content;
  multisetadd(letter, inbox[receiver]);
end;

--------------------------------------------------------------------- directory

procedure answer_requester();
begin
  send_data(home_requester, data, directory, home_memory);
  home_status := awaiting_arrival;
end;

procedure serve_get_shared(c: cache);
begin
  home_requester := c;
  home_serves_writer := false;
  if home_status = owned then
    send(home_owner, recall, directory);
    home_status := awaiting_recall;
  else
    answer_requester();
  end;
end;

procedure serve_get_modified(c: cache);
begin
  home_requester := c;
  home_serves_writer := true;
  if home_status = owned then
    send(home_owner, recall, directory);
    home_status := awaiting_recall;
  else
    for other: cache do
      if home_sharer[other] & other != c then
        send(other, invalidate, directory);
        home_pending[other] := true;
      end;
      home_sharer[other] := false;
    end;
    if exists other: cache do home_pending[other] end then
      home_status := awaiting_invalidated;
    else
      answer_requester();
    end;
  end;
end;

procedure serve_put(c: cache; content: value);
begin
  if home_status = owned & home_owner = c then
    home_memory := content;
    undefine home_owner;
    home_status := uncached;
  end;
end;

procedure finish_request();
begin
  if home_serves_writer then
    home_owner := home_requester;
    home_status := owned;
  else
    home_sharer[home_requester] := true;
    home_status := shared_somewhere;
  end;
  undefine home_requester;
  undefine home_serves_writer;
end;

function home_is_stable(): boolean;
begin
  switch home_status
  case uncached, shared_somewhere, owned:
    return true;
  else
    return false;
  end;
end;

function readable(status: cache_status): boolean;
begin
  return status = shared | status = shared_to_modified | status = modified;
end;

ruleset initial: value do
  startstate "memory only"
  begin
    undefine line;
    undefine inbox;
    undefine home_owner;
    undefine home_requester;
    undefine home_serves_writer;
    for c: cache do
      line[c].status := invalid;
      home_sharer[c] := false;
      home_pending[c] := false;
    end;
    home_status := uncached;
    home_memory := initial;
    last_stored := initial;
  end;
end;

choose m: inbox[directory] do
  alias letter: inbox[directory][m] do

    rule "directory takes a request"
      home_is_stable()
      & (letter.kind = get_shared | letter.kind = get_modified | letter.kind = put_modified)
    ==>
    begin
      switch letter.kind
      case get_shared:
        serve_get_shared(letter.sender);
      case get_modified:
        serve_get_modified(letter.sender);
      case put_modified:
        serve_put(letter.sender, letter.content);
      end;
      multisetremove(m, inbox[directory]);
    end;

    rule "directory gets the line back"
      letter.kind = recalled
    ==>
    begin
      assert home_status = awaiting_recall & letter.sender = home_owner
        "a recall was expected from the owner";
      home_memory := letter.content;
      undefine home_owner;
      multisetremove(m, inbox[directory]);
      answer_requester();
    end;

    rule "directory gets an acknowledgement"
      letter.kind = invalidated
    ==>
    begin
      assert home_status = awaiting_invalidated & home_pending[letter.sender]
        "an acknowledgement was expected from a sharer";
      home_pending[letter.sender] := false;
      multisetremove(m, inbox[directory]);
      if forall c: cache do !home_pending[c] end then
        answer_requester();
      end;
    end;

    rule "directory hears that the data arrived"
      letter.kind = data_arrived
    ==>
    begin
      assert home_status = awaiting_arrival & letter.sender = home_requester
        "a confirmation was expected from the requester";
      multisetremove(m, inbox[directory]);
      finish_request();
    end;

  end;
end;

------------------------------------------------------------------------ caches

ruleset c: cache do
  alias mine: line[c] do

    rule "read miss"
      mine.status = invalid
    ==>
    begin
      send(directory, get_shared, c);
      mine.status := invalid_to_shared;
    end;

    rule "write miss"
      mine.status = invalid
    ==>
    begin
      send(directory, get_modified, c);
      mine.status := invalid_to_modified;
    end;

    rule "upgrade"
      mine.status = shared
    ==>
    begin
      send(directory, get_modified, c);
      mine.status := shared_to_modified;
    end;

    rule "drop a shared copy"
      mine.status = shared
    ==>
    begin
      mine.status := invalid;
      undefine mine.content;
    end;

    rule "write a modified copy back"
      mine.status = modified
    ==>
    begin
      send_data(directory, put_modified, c, mine.content);
      mine.status := invalid;
      undefine mine.content;
    end;

    ruleset v: value do
      rule "store"
        mine.status = modified
      ==>
      begin
        mine.content := v;
        last_stored := v;
      end;
    end;

    choose m: inbox[c] do
      rule "cache takes a message"
        true
      ==>
      var
        kind: message_kind;
        content: value;
      begin
        kind := inbox[c][m].kind;
        if !isundefined(inbox[c][m].content) then
          content := inbox[c][m].content;
        end;
        multisetremove(m, inbox[c]);

        switch kind
        case data:
          switch mine.status
          case invalid_to_shared:
            mine.status := shared;
          case invalid_to_modified, shared_to_modified:
            mine.status := modified;
          else
            error "data arrived that nobody asked for";
          end;
          mine.content := content;
          send(directory, data_arrived, c);

        case invalidate:
          switch mine.status
          case shared:
            mine.status := invalid;
            undefine mine.content;
          case shared_to_modified:
            mine.status := invalid_to_modified;
            undefine mine.content;
          case invalid, invalid_to_shared, invalid_to_modified:
          -- A copy that was dropped silently.
          else
            error "an owner was invalidated";
          end;
          send(directory, invalidated, c);

        case recall:
          if mine.status != modified then
            error "a line was recalled from a cache that does not own it";
          end;
          send_data(directory, recalled, c, mine.content);
          mine.status := invalid;
          undefine mine.content;

        else
          error "a message for the directory went to a cache";
        end;
      end;
    end;

  end;
end;

--------------------------------------------------------------------- properties

invariant "one writer or many readers"
  forall c: cache do
    forall d: cache do
      c != d & line[c].status = modified -> !readable(line[d].status)
    end
  end;

invariant "readable copies are up to date"
  forall c: cache do
    readable(line[c].status) -> line[c].content = last_stored
  end;

invariant "memory is up to date while nobody owns the line"
  home_status = uncached | home_status = shared_somewhere -> home_memory = last_stored;

invariant "an acknowledgement is on its way from everyone it is awaited from"
  forall c: cache do
    home_pending[c]
    -> multisetcount(m: inbox[c], inbox[c][m].kind = invalidate)
    + multisetcount(m: inbox[directory],
      inbox[directory][m].kind = invalidated
      & inbox[directory][m].sender = c) = 1
  end;
