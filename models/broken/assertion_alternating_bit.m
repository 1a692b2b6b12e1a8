-- The alternating bit protocol with a sender that trusts every acknowledgement.
--
-- The sender repeats a packet, tagged with one bit, until it is acknowledged;
-- then it flips the bit and goes on. The receiver acknowledges every packet and
-- accepts those whose bit it expects.
--
-- The bug: the sender does not compare the bit of the acknowledgement with its
-- own. The acknowledgement of a repeated packet then counts for the next packet,
-- which may have been lost. The correct protocol is models/alternating_bit.m.
--
-- Abstraction: channels hold one message, which may be lost; timeouts may happen
-- at any time; the data are 0 .. 3 over and over again.
--
-- Property: the receiver accepts the data in order (an assertion, violated).

const
  data_count: 4;

type
  bit: 0..1;
  data: 0..data_count - 1;

var
  packet_sent: boolean;
  packet_tag: bit;
  packet_data: data;

  acknowledgement_sent: boolean;
  acknowledgement_tag: bit;

  sender_bit: bit;
  sender_data: data;
  receiver_bit: bit;
  expected: data;

startstate "nothing sent"
begin
  packet_sent := false;
  acknowledgement_sent := false;
  clear packet_tag;
  clear packet_data;
  clear acknowledgement_tag;
  clear sender_bit;
  clear sender_data;
  clear receiver_bit;
  clear expected;
end;

rule "send or repeat the packet"
  !packet_sent
==>
begin
  packet_sent := true;
  packet_tag := sender_bit;
  packet_data := sender_data;
end;

rule "lose the packet"
  packet_sent
==>
begin
  packet_sent := false;
end;

rule "receive the packet"
  packet_sent & !acknowledgement_sent
==>
begin
  packet_sent := false;
  acknowledgement_sent := true;
  acknowledgement_tag := packet_tag;
  if packet_tag = receiver_bit then
    assert packet_data = expected "the receiver gets the data in order";
    receiver_bit := 1 - receiver_bit;
    expected := (expected + 1) % data_count;
  end;
end;

rule "lose the acknowledgement"
  acknowledgement_sent
==>
begin
  acknowledgement_sent := false;
end;

rule "receive the acknowledgement"
  acknowledgement_sent
==>
begin
  acknowledgement_sent := false;
  -- Missing: if acknowledgement_tag = sender_bit
  sender_bit := 1 - sender_bit;
  sender_data := (sender_data + 1) % data_count;
end;
