-- The alternating bit protocol: reliable delivery over channels that lose and
-- duplicate messages but keep their order.
--
-- The sender repeats a packet, tagged with one bit, until an acknowledgement
-- with the same bit arrives; then it flips the bit and goes on. The receiver
-- acknowledges every packet and accepts those whose bit it expects.
--
-- Abstraction: both channels are queues of four places; timeouts may happen at any
-- time; the data are the numbers 0 .. 3 over and over again, so that a packet
-- lost, repeated or out of order shows in the data.
--
-- Properties: the receiver accepts the data in the order 0, 1, 2, 3, 0, ...;
-- sender and receiver are never more than one packet apart.

const
  capacity: 4;
  data_count: 4;

type
  bit: 0..1;
  data: 0..data_count - 1;
  fill: 0..capacity;
  place: 0..capacity - 1;
  packet: record
    tag: bit;
    payload: data;
  end;
  packet_channel: record
    length: fill;
    slot: array [place] of packet;
  end;
  bit_channel: record
    length: fill;
    slot: array [place] of bit;
  end;

var
  forward: packet_channel;  -- sender to receiver
  backward: bit_channel;    -- receiver to sender

  sender_bit: bit;
  sender_data: data;
  receiver_bit: bit;  -- the bit that the receiver expects
  expected: data;     -- for the property only: what it should be given

procedure send_packet(var channel: packet_channel; tag: bit; payload: data);
begin
  channel.slot[channel.length].tag := tag;
  channel.slot[channel.length].payload := payload;
  channel.length := channel.length + 1;
end;

procedure drop_first_packet(var channel: packet_channel);
begin
  if channel.length > 1 then
    for i := 1 to channel.length - 1 do
      channel.slot[i - 1] := channel.slot[i];
    end;
  end;
  channel.length := channel.length - 1;
  undefine channel.slot[channel.length];
end;

procedure send_bit(var channel: bit_channel; tag: bit);
begin
  channel.slot[channel.length] := tag;
  channel.length := channel.length + 1;
end;

procedure drop_first_bit(var channel: bit_channel);
begin
  if channel.length > 1 then
    for i := 1 to channel.length - 1 do
      channel.slot[i - 1] := channel.slot[i];
    end;
  end;
  channel.length := channel.length - 1;
  undefine channel.slot[channel.length];
end;

startstate "nothing sent"
begin
  undefine forward;
  undefine backward;
  forward.length := 0;
  backward.length := 0;
  sender_bit := 0;
  sender_data := 0;
  receiver_bit := 0;
  expected := 0;
end;

rule "send or repeat the packet"
  forward.length < capacity
==>
begin
  send_packet(forward, sender_bit, sender_data);
end;

rule "lose a packet"
  forward.length > 0
==>
begin
  drop_first_packet(forward);
end;

rule "duplicate a packet"
  forward.length = 1
==>
begin
  send_packet(forward, forward.slot[0].tag, forward.slot[0].payload);
end;

rule "receive a packet and acknowledge it"
  forward.length > 0 & backward.length < capacity
==>
begin
  alias first: forward.slot[0] do
    send_bit(backward, first.tag);
    if first.tag = receiver_bit then
      assert first.payload = expected "data in order";
      receiver_bit := 1 - receiver_bit;
      expected := (expected + 1) % data_count;
    end;
  end;
  drop_first_packet(forward);
end;

rule "lose an acknowledgement"
  backward.length > 0
==>
begin
  drop_first_bit(backward);
end;

rule "receive an acknowledgement"
  backward.length > 0
==>
begin
  if backward.slot[0] = sender_bit then
    sender_bit := 1 - sender_bit;
    sender_data := (sender_data + 1) % data_count;
  end;
  drop_first_bit(backward);
end;

invariant "at most one packet apart"
  sender_data = expected | (sender_data + 1) % data_count = expected;

invariant "the bits agree exactly when the data do"
  (sender_bit = receiver_bit) = (sender_data = expected);
