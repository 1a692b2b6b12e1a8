-- A file transfer protocol in layers: a user sends a file to a server.
--
--   user -> session -> flow control -> link -> flow control -> session -> server
--     ^------ session <----------------------------------------- session <---/
--
-- The user opens a transfer, and the server accepts or refuses it. Then the
-- blocks of the file follow, as many as the user likes, and the transfer is
-- closed, which the server confirms when all is written. The sessions see to it
-- that these things happen in this order. What goes from the user's session to
-- the server's is numbered by flow control: frame k is sent in place k mod 2 of
-- the link, and that place is used again when its receipt has come. The link may
-- lose frames. Flow control then sends the frame again, and keeps a list of the
-- frames for which it had to. What the server's session answers goes back by a
-- way that loses nothing.
--
-- Every buffer has one process that fills it and one that empties it.
--
-- Abstraction: the link loses a given number of frames for each transfer; the
-- timer of flow control rings when a frame was lost, and only then. A block is
-- its number. After a transfer the next one begins.
--
-- Properties: the server gets blocks only while a file is open, in order and each
-- once; the user is told that the transfer is closed only when all of its blocks
-- are written; a frame is sent again only if it was lost.

const
  block_count: 4;  -- blocks of the longest file
  loss_count: 2;
  open: block_count;  -- what else goes from session to session
  close: block_count + 1;
  nothing: block_count + 2;
  frame_count: block_count + 2;  -- all blocks, open and close

type
  number: 0..block_count;  -- of blocks
  order: 0..nothing;
  answer: enum { silence, accepted, refused, closed };
  frame: 0..frame_count - 1;
  frames: 0..frame_count;
  place: 0..1;
  user_step: enum { idle, asking, sending, closing, satisfied, disappointed };
  sender_step: enum { fetching, holding };
  receiver_step: enum { waiting, delivering, confirming };
  server_step: enum { resting, deciding, writing, ending };

var
  user: user_step;
  length: number;       -- blocks that the user has sent
  user_order: order;    -- user to session
  user_report: answer;  -- session to user

  session_order: order;    -- session to flow control
  relayed: order;          -- what the user's session has in hand
  session_report: answer;  -- the server's session to the user's

  flow_sender: sender_step;
  flow_order: order;  -- what flow control is about to send
  sent: frames;
  unconfirmed: array [place] of boolean;
  copy: array [place] of order;     -- what may have to be sent again
  again: array [frame] of boolean;  -- frames that were sent twice

  link_in: array [place] of order;
  link_out: array [place] of order;
  lost: array [place] of boolean;  -- the timer rings for what was in this place
  losses: 0..loss_count;           -- so many frames may still be lost
  receipt: array [place] of boolean;

  flow_receiver: receiver_step;
  flow_delivery: order;  -- what flow control is about to hand on
  received: frames;
  delivery: order;  -- flow control to the server's session

  server_order: order;    -- session to server
  server_report: answer;  -- server to session
  server: server_step;
  written: number;

startstate "no transfer"
begin
  user := idle;
  length := 0;
  user_order := nothing;
  user_report := silence;
  session_order := nothing;
  relayed := nothing;
  session_report := silence;
  flow_sender := fetching;
  flow_order := nothing;
  sent := 0;
  losses := loss_count;
  flow_receiver := waiting;
  flow_delivery := nothing;
  received := 0;
  delivery := nothing;
  server_order := nothing;
  server_report := silence;
  server := resting;
  written := 0;
  for p: place do
    unconfirmed[p] := false;
    copy[p] := nothing;
    link_in[p] := nothing;
    link_out[p] := nothing;
    lost[p] := false;
    receipt[p] := false;
  end;
  for k: frame do
    again[k] := false;
  end;
end;

-- The user

rule "ask for a transfer"
  user = idle & user_order = nothing
==>
begin
  user_order := open;
  user := asking;
end;

rule "the transfer is accepted"
  user = asking & user_report = accepted
==>
begin
  user_report := silence;
  user := sending;
end;

rule "the transfer is refused"
  user = asking & user_report = refused
==>
begin
  user_report := silence;
  user := disappointed;
end;

rule "send a block"
  user = sending & user_order = nothing & length < block_count
==>
begin
  user_order := length;
  length := length + 1;
end;

rule "close the transfer"
  user = sending & user_order = nothing
==>
begin
  user_order := close;
  user := closing;
end;

rule "the transfer is closed"
  user = closing & user_report = closed
==>
begin
  user_report := silence;
  user := satisfied;
end;

-- The user's session

rule "take an order"
  user_order != nothing & relayed = nothing
==>
begin
  relayed := user_order;
  user_order := nothing;
end;

rule "relay an order"
  relayed != nothing & session_order = nothing
==>
begin
  session_order := relayed;
  relayed := nothing;
end;

rule "report to the user"
  session_report != silence & user_report = silence
==>
begin
  user_report := session_report;
  session_report := silence;
end;

-- Flow control of the user

rule "fetch an order"
  flow_sender = fetching & session_order != nothing
==>
begin
  flow_order := session_order;
  session_order := nothing;
  flow_sender := holding;
end;

ruleset k: frame do
  rule "send a frame"
    flow_sender = holding & sent = k & !unconfirmed[k % 2] & link_in[k % 2] = nothing
  ==>
  begin
    link_in[k % 2] := flow_order;
    copy[k % 2] := flow_order;
    unconfirmed[k % 2] := true;
    flow_order := nothing;
    sent := k + 1;
    flow_sender := fetching;
  end;
end;

ruleset p: place do
  rule "a receipt comes"
    receipt[p]
  ==>
  begin
    assert unconfirmed[p] "a receipt is for something sent";
    receipt[p] := false;
    copy[p] := nothing;
    unconfirmed[p] := false;
  end;
end;

ruleset k: frame do
  rule "send a frame again"
    lost[k % 2] & sent > k & sent <= k + 2
  ==>
  begin
    assert link_in[k % 2] = nothing & link_out[k % 2] = nothing "it was lost";
    lost[k % 2] := false;
    link_in[k % 2] := copy[k % 2];
    again[k] := true;
  end;
end;

-- The link

ruleset p: place do
  rule "carry a frame"
    link_in[p] != nothing & link_out[p] = nothing
  ==>
  begin
    link_out[p] := link_in[p];
    link_in[p] := nothing;
  end;

  rule "lose a frame"
    link_in[p] != nothing & losses > 0
  ==>
  begin
    link_in[p] := nothing;
    lost[p] := true;
    losses := losses - 1;
  end;
end;

-- Flow control of the server

ruleset k: frame do
  rule "a frame comes"
    flow_receiver = waiting & received = k & link_out[k % 2] != nothing
  ==>
  begin
    flow_delivery := link_out[k % 2];
    link_out[k % 2] := nothing;
    flow_receiver := delivering;
  end;
end;

rule "deliver what was in a frame"
  flow_receiver = delivering & delivery = nothing
==>
begin
  delivery := flow_delivery;
  flow_delivery := nothing;
  flow_receiver := confirming;
end;

ruleset k: frame do
  rule "confirm a frame"
    flow_receiver = confirming & received = k & !receipt[k % 2]
  ==>
  begin
    receipt[k % 2] := true;
    received := k + 1;
    flow_receiver := waiting;
  end;
end;

-- The server's session

rule "tell the server"
  delivery != nothing & server_order = nothing
==>
begin
  server_order := delivery;
  delivery := nothing;
end;

rule "answer for the server"
  server_report != silence & session_report = silence
==>
begin
  session_report := server_report;
  server_report := silence;
end;

-- The server

rule "be asked for a transfer"
  server_order = open
==>
begin
  assert server = resting "one transfer at a time";
  server_order := nothing;
  server := deciding;
end;

rule "accept the transfer"
  server = deciding & server_report = silence
==>
begin
  server_report := accepted;
  server := writing;
end;

rule "refuse the transfer"
  server = deciding & server_report = silence
==>
begin
  server_report := refused;
  server := resting;
end;

rule "write a block"
  server_order < open
==>
begin
  assert server = writing "blocks of an open file";
  assert server_order = written "blocks in order, and each once";
  written := written + 1;
  server_order := nothing;
end;

rule "end of the file"
  server_order = close
==>
begin
  assert server = writing "an open file is closed";
  server_order := nothing;
  server := ending;
end;

rule "close the file"
  server = ending & server_report = silence
==>
begin
  server_report := closed;
  server := resting;
end;

-- The next transfer

rule "think of another transfer"
  (user = satisfied | user = disappointed)
  & flow_receiver = waiting & forall p: place do !unconfirmed[p] end
==>
begin
  user := idle;
  length := 0;
  sent := 0;
  received := 0;
  written := 0;
  losses := loss_count;
  for k: frame do
    again[k] := false;
  end;
end;

invariant "closed means written"
  user = satisfied -> written = length;

invariant "no more is written than was sent"
  written <= length;

invariant "a place of the link has one frame at a time"
  forall p: place do
    !(link_in[p] != nothing & link_out[p] != nothing) & (lost[p] -> link_in[p] = nothing & unconfirmed[p])
  end;

invariant "nothing is sent again while nothing was lost"
  losses = loss_count -> forall k: frame do !again[k] end;

invariant "the server works only for a user who waits for it"
  server != resting -> user = asking | user = sending | user = closing;
