-- A protocol for a line of characters, whose receiver is a small machine that
-- works with any transmitter.
--
-- A source prepares blocks. The transmitter sends the characters of a block one
-- by one, and after them a trailer that tells the number of the block and how
-- long it is. The receiver counts characters. When a trailer comes and everything
-- is right it hands the block to the host and replies with the number of the
-- block that it expects next; otherwise it replies that it has to have that block
-- (again). The transmitter may be two blocks ahead, and goes back to the block
-- that is asked for. If no reply comes it enquires, and the receiver says what it
-- expects.
--
--   source -> two blocks -> transmitter -> line (three places) -> receiver -> inbox -> host
--                                \------- replies (two places) ------/
--
-- Every place of the line is filled by one end and emptied by the other, and each
-- end has its own idea of which place is next: nothing else is shared.
--
-- Abstraction: noise makes garbage of a given number of signals on the line,
-- characters, trailers and enquiries alike; the receiver skips garbage. A
-- checksum is modelled by characters that know their block. Replies are not
-- disturbed. The transmitter enquires only where nothing is under way any more,
-- as if its timer were well set. After a number of blocks a new session begins.
--
-- Properties: the host gets the blocks in order and each once; the transmitter
-- never forgets a block that the receiver has not got; replies are about what was
-- sent; a session ends with all blocks at the host.

const
  block_count: 3;
  block_length: 2;
  noise_count: 1;
  none: block_count + 1;  -- an empty inbox

type
  block: 0..block_count - 1;
  number: 0..block_count;
  position: 0..block_length;
  tally: 0..block_length + 1;  -- the last one stands for too many
  place: 0..2;
  reply_place: 0..1;
  half: 0..1;
  signal: enum { nothing, character, trailer, enquiry, garbage };
  reply: enum { no_reply, accepted, wanted };
  source_step: enum { collecting, ready };
  receiver_step: enum { listening, deciding, accepting, replying };

var
  source: source_step;
  made: number;                       -- blocks that the source has prepared
  prepared: array [half] of boolean;  -- blocks that the transmitter may send, even and odd ones

  sending: number;         -- the block that is being sent
  sent: position;          -- so many characters of it were sent
  base: number;            -- the first block that is not known to be accepted
  line_end: place;         -- where the next signal goes
  reply_end: reply_place;  -- where the next reply comes from

  line: array [place] of signal;
  line_block: array [place] of number;  -- whose character, or which trailer
  noise: 0..noise_count;                -- so many signals may still be disturbed

  receiver: receiver_step;
  line_start: place;         -- where the next signal comes from
  reply_start: reply_place;  -- where the next reply goes
  counted: tally;            -- characters since the last trailer
  mixed: boolean;            -- they are not of one block
  block_seen: number;        -- whose characters they are
  trailer_seen: number;
  expected: number;

  replies: array [reply_place] of reply;
  reply_block: array [reply_place] of number;

  inbox: 0..none;
  at_host: number;
  unsaved: 0..none;  -- what the host is busy with

procedure forget_characters();
begin
  counted := 0;
  mixed := false;
  block_seen := 0;
end;

startstate "nothing sent"
begin
  source := collecting;
  made := 0;
  sending := 0;
  sent := 0;
  base := 0;
  line_end := 0;
  reply_end := 0;
  noise := noise_count;
  receiver := listening;
  line_start := 0;
  reply_start := 0;
  forget_characters();
  trailer_seen := 0;
  expected := 0;
  inbox := none;
  at_host := 0;
  unsaved := none;
  for h: half do
    prepared[h] := false;
  end;
  for p: place do
    line[p] := nothing;
    line_block[p] := 0;
  end;
  for q: reply_place do
    replies[q] := no_reply;
    reply_block[q] := 0;
  end;
end;

-- The source

rule "collect what goes into a block"
  source = collecting & made < block_count
==>
begin
  source := ready;
end;

ruleset b: block do
  rule "prepare a block"
    source = ready & made = b & !prepared[b % 2]
  ==>
  begin
    prepared[b % 2] := true;
    made := b + 1;
    source := collecting;
  end;
end;

-- The transmitter

ruleset p: place; b: block do
  rule "send a character"
    sending = b & b <= base + 1 & prepared[b % 2] & sent < block_length & line_end = p & line[p] = nothing
  ==>
  begin
    line[p] := character;
    line_block[p] := b;
    sent := sent + 1;
    line_end := (p + 1) % 3;
  end;

  rule "send a trailer"
    sending = b & sent = block_length & line_end = p & line[p] = nothing
  ==>
  begin
    line[p] := trailer;
    line_block[p] := b;
    sent := 0;
    sending := b + 1;
    line_end := (p + 1) % 3;
  end;
end;

ruleset q: reply_place; n: number do
  rule "a reply comes"
    reply_end = q & replies[q] != no_reply & reply_block[q] = n
  ==>
  begin
    assert base <= n & n <= base + 2 "replies are about what was sent";
    if n > base then
      prepared[base % 2] := false;
    end;
    if n > base + 1 then
      prepared[(base + 1) % 2] := false;
    end;
    base := n;
    if replies[q] = wanted | sending < n then
      sending := n;
      sent := 0;
    end;
    replies[q] := no_reply;
    reply_block[q] := 0;
    reply_end := 1 - q;
  end;
end;

ruleset p: place do
  rule "enquire"
    sending > base & (sending = block_count | sending = base + 2)
    & line_end = p & forall other: place do line[other] = nothing end
    & receiver = listening & forall q: reply_place do replies[q] = no_reply end
  ==>
  begin
    line[p] := enquiry;
    line_end := (p + 1) % 3;
  end;

  -- The line

  rule "noise"
    noise > 0 & line[p] != nothing & line[p] != garbage
  ==>
  begin
    line[p] := garbage;
    noise := noise - 1;
  end;

  -- The receiver

  rule "a character comes"
    receiver = listening & line_start = p & line[p] = character
  ==>
  begin
    if counted > 0 & block_seen != line_block[p] then
      mixed := true;
    end;
    block_seen := line_block[p];
    if counted <= block_length then
      counted := counted + 1;
    end;
    line[p] := nothing;
    line_block[p] := 0;
    line_start := (p + 1) % 3;
  end;

  rule "a trailer comes"
    receiver = listening & line_start = p & line[p] = trailer
  ==>
  begin
    trailer_seen := line_block[p];
    line[p] := nothing;
    line_block[p] := 0;
    line_start := (p + 1) % 3;
    receiver := deciding;
  end;

  rule "an enquiry comes"
    receiver = listening & line_start = p & line[p] = enquiry
  ==>
  begin
    forget_characters();
    line[p] := nothing;
    line_start := (p + 1) % 3;
    receiver := replying;
  end;

  rule "garbage comes"
    receiver = listening & line_start = p & line[p] = garbage
  ==>
  begin
    line[p] := nothing;
    line_block[p] := 0;
    line_start := (p + 1) % 3;
  end;
end;

rule "the block is right"
  receiver = deciding & counted = block_length & !mixed & block_seen = trailer_seen & trailer_seen = expected
  & inbox = none
==>
begin
  inbox := block_seen;
  expected := expected + 1;
  forget_characters();
  trailer_seen := 0;
  receiver := accepting;
end;

rule "the block is wrong"
  receiver = deciding
  & !(counted = block_length & !mixed & block_seen = trailer_seen & trailer_seen = expected)
==>
begin
  forget_characters();
  trailer_seen := 0;
  receiver := replying;
end;

ruleset q: reply_place do
  rule "reply that the block is accepted"
    receiver = accepting & reply_start = q & replies[q] = no_reply
  ==>
  begin
    replies[q] := accepted;
    reply_block[q] := expected;
    reply_start := 1 - q;
    receiver := listening;
  end;

  rule "reply that a block is wanted"
    receiver = replying & reply_start = q & replies[q] = no_reply
  ==>
  begin
    replies[q] := wanted;
    reply_block[q] := expected;
    reply_start := 1 - q;
    receiver := listening;
  end;
end;

-- The host

rule "take a block"
  inbox != none & unsaved = none
==>
begin
  unsaved := inbox;
  inbox := none;
end;

rule "save a block"
  unsaved != none
==>
begin
  assert unsaved = at_host "blocks in order, and each once";
  at_host := at_host + 1;
  unsaved := none;
end;

rule "begin a new session"
  base = block_count & at_host = block_count & receiver = listening
  & forall p: place do line[p] = nothing end & forall q: reply_place do replies[q] = no_reply end
==>
begin
  made := 0;
  sending := 0;
  base := 0;
  line_end := 0;
  line_start := 0;
  reply_end := 0;
  reply_start := 0;
  noise := noise_count;
  forget_characters();
  expected := 0;
  at_host := 0;
end;

invariant "the transmitter lags behind the receiver"
  base <= expected;

invariant "no block is forgotten that is not accepted"
  forall b: block do
    b < made & b >= expected -> prepared[b % 2]
  end;

invariant "the host lags behind by two blocks at most"
  at_host <= expected & expected <= at_host + 2;

invariant "an empty place says nothing"
  forall p: place do
    line[p] = nothing -> line_block[p] = 0
  end;
