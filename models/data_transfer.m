-- A data transfer protocol: a connection is set up, both sides send letters at
-- the same time, and it is taken down again when both have said that there are no
-- more.
--
-- A letter goes from the speaker of one side to the listener of the other,
-- through two processes and the line between them:
--
--   speaker -> outbox -> sender -> line (two places) -> receiver -> inbox -> listener
--                          \------ receipts (two places) ------/
--
-- The sender may have two letters under way. Letter k goes into place k mod 2 of
-- the line, and the next one for that place waits until a receipt for it has come
-- back. So there is nothing that both ends of a line change but the places
-- themselves, each of which is full for one end and empty for the other.
--
-- Abstraction: the line loses nothing; letters are numbers. A speaker may say at
-- any time that there are no more letters. The calling side is always the same.
--
-- Properties: listeners hear what was spoken, in order and nothing twice; a place
-- is not used again before its receipt has come; when the connection is taken
-- down all letters have been heard and nothing is under way.

const
  letter_count: 4;            -- letters that a side may send while connected
  ending: letter_count;       -- there are no more letters
  nothing: letter_count + 1;  -- an empty place

type
  side: 0..1;
  letter: 0..ending;
  content: 0..nothing;
  count: 0..letter_count + 1;
  place: 0..1;
  phase: enum { away, calling, connected, finished, leaving };
  call: enum { silence, ring, answer, bye, farewell };
  sender_step: enum { fetching, sending };
  receiver_step: enum { waiting, delivering, confirming };

var
  -- of the two stations
  station: array [side] of phase;
  control: array [side] of call;  -- from this side to the other

  -- of everything on the way of letters from a side to the other
  spoken: array [side] of count;
  outbox: array [side] of content;
  sender: array [side] of sender_step;
  letter_out: array [side] of content;  -- what the sender has in hand
  sent: array [side] of count;
  unconfirmed: array [side] of array [place] of boolean;
  line: array [side] of array [place] of content;
  receipt: array [side] of array [place] of boolean;
  receiver: array [side] of receiver_step;
  letter_in: array [side] of content;  -- what the receiver has in hand
  received: array [side] of count;
  inbox: array [side] of content;
  heard: array [side] of count;
  all_spoken: array [side] of boolean;
  all_heard: array [side] of boolean;

startstate "nobody is connected"
begin
  for s: side do
    station[s] := away;
    control[s] := silence;
    spoken[s] := 0;
    outbox[s] := nothing;
    sender[s] := fetching;
    letter_out[s] := nothing;
    sent[s] := 0;
    receiver[s] := waiting;
    letter_in[s] := nothing;
    received[s] := 0;
    inbox[s] := nothing;
    heard[s] := 0;
    all_spoken[s] := false;
    all_heard[s] := false;
    for p: place do
      unconfirmed[s][p] := false;
      line[s][p] := nothing;
      receipt[s][p] := false;
    end;
  end;
end;

-- Setting up

rule "call"
  station[0] = away & control[0] = silence
==>
begin
  control[0] := ring;
  station[0] := calling;
end;

rule "accept the call"
  station[1] = away & control[0] = ring & control[1] = silence
==>
begin
  control[0] := silence;
  control[1] := answer;
  station[1] := connected;
end;

rule "the call is accepted"
  station[0] = calling & control[1] = answer
==>
begin
  control[1] := silence;
  station[0] := connected;
end;

-- The way of a letter

ruleset s: side; k: letter do
  rule "speak"
    station[s] = connected & !all_spoken[s] & spoken[s] = k & k < letter_count & outbox[s] = nothing
  ==>
  begin
    outbox[s] := k;
    spoken[s] := k + 1;
  end;
end;

ruleset s: side do
  rule "have no more to say"
    station[s] = connected & !all_spoken[s] & outbox[s] = nothing
  ==>
  begin
    outbox[s] := ending;
    all_spoken[s] := true;
  end;

  rule "fetch a letter"
    sender[s] = fetching & outbox[s] != nothing
  ==>
  begin
    letter_out[s] := outbox[s];
    outbox[s] := nothing;
    sender[s] := sending;
  end;
end;

ruleset s: side; k: letter do
  rule "send a letter"
    sender[s] = sending & sent[s] = k & !unconfirmed[s][k % 2] & line[s][k % 2] = nothing
  ==>
  begin
    line[s][k % 2] := letter_out[s];
    unconfirmed[s][k % 2] := true;
    letter_out[s] := nothing;
    sent[s] := k + 1;
    sender[s] := fetching;
  end;

  rule "receive a letter"
    receiver[s] = waiting & received[s] = k & line[s][k % 2] != nothing
  ==>
  begin
    letter_in[s] := line[s][k % 2];
    line[s][k % 2] := nothing;
    receiver[s] := delivering;
  end;
end;

ruleset s: side do
  rule "deliver a letter"
    receiver[s] = delivering & inbox[s] = nothing
  ==>
  begin
    inbox[s] := letter_in[s];
    letter_in[s] := nothing;
    receiver[s] := confirming;
  end;
end;

ruleset s: side; k: letter do
  rule "confirm a letter"
    receiver[s] = confirming & received[s] = k & !receipt[s][k % 2]
  ==>
  begin
    receipt[s][k % 2] := true;
    received[s] := k + 1;
    receiver[s] := waiting;
  end;
end;

ruleset s: side; p: place do
  rule "a letter is confirmed"
    receipt[s][p]
  ==>
  begin
    assert unconfirmed[s][p] "a receipt is for something sent";
    receipt[s][p] := false;
    unconfirmed[s][p] := false;
  end;
end;

ruleset s: side do
  rule "hear a letter"
    inbox[s] != nothing & inbox[s] != ending
  ==>
  begin
    assert inbox[s] = heard[s] "letters in order, and each once";
    heard[s] := heard[s] + 1;
    inbox[s] := nothing;
  end;

  rule "hear that there are no more"
    inbox[s] = ending
  ==>
  begin
    all_heard[s] := true;
    inbox[s] := nothing;
  end;

  rule "finish"
    station[s] = connected & all_spoken[s] & all_heard[1 - s]
    & sender[s] = fetching & outbox[s] = nothing & forall p: place do !unconfirmed[s][p] end
  ==>
  begin
    station[s] := finished;
  end;
end;

-- Taking down

rule "hang up"
  station[0] = finished & control[0] = silence
==>
begin
  control[0] := bye;
  station[0] := leaving;
end;

rule "hang up too"
  station[1] = finished & control[0] = bye & control[1] = silence
==>
begin
  assert heard[0] = spoken[0] & heard[1] = spoken[1] "all letters were heard";
  control[0] := silence;
  control[1] := farewell;
  station[1] := away;
  spoken[1] := 0;
  sent[1] := 0;
  received[0] := 0;
  heard[0] := 0;
  all_spoken[1] := false;
  all_heard[0] := false;
end;

rule "be gone"
  station[0] = leaving & control[1] = farewell
==>
begin
  control[1] := silence;
  station[0] := away;
  spoken[0] := 0;
  sent[0] := 0;
  received[1] := 0;
  heard[1] := 0;
  all_spoken[0] := false;
  all_heard[1] := false;
end;

invariant "no more is heard than was spoken"
  forall s: side do
    station[0] = connected & station[1] = connected -> heard[s] <= spoken[s]
  end;

invariant "at most two letters are unconfirmed, and only those are on the line"
  forall s: side do forall p: place do
    line[s][p] != nothing | receipt[s][p] -> unconfirmed[s][p]
  end end;

invariant "who is away has nothing under way"
  forall s: side do
    station[s] = away | station[s] = finished ->
    outbox[s] = nothing & letter_out[s] = nothing & forall p: place do line[s][p] = nothing end
  end;

invariant "a letter is in the hands of one process"
  forall s: side do
    (letter_out[s] = nothing) = (sender[s] = fetching)
    & (letter_in[s] = nothing) = (receiver[s] != delivering)
  end;
