-- A stop-and-wait transfer over a network that delays messages.
--
-- The sender repeats its message until it is acknowledged. Messages wait in a
-- network of limited size, in no order, until they are delivered.
--
-- The bug: the sender repeats the message on every timeout without asking whether
-- the network has room for it, and a slow network overflows.
--
-- Abstraction: a message is its sequence number and kind; the network is a
-- multiset; timeouts may happen at any time.
--
-- Property: the network never overflows (violated).

const
  network_size: 4;
  number_count: 2;

type
  number: 0..number_count - 1;
  message_kind: enum { payload, acknowledgement };
  message: record
    kind: message_kind;
    sequence: number;
  end;

var
  network: multiset [network_size] of message;
  sender_number: number;
  receiver_number: number;

procedure send(kind: message_kind; sequence: number);
var
  letter: message;
begin
  letter.kind := kind;
  letter.sequence := sequence;
  multisetadd(letter, network);
end;

startstate "nothing sent"
begin
  undefine network;
  sender_number := 0;
  receiver_number := 0;
end;

rule "send, or repeat after a timeout"
  true
==>
begin
  send(payload, sender_number);
end;

choose m: network do

  rule "receive and acknowledge"
    network[m].kind = payload
  ==>
  var
    sequence: number;
  begin
    sequence := network[m].sequence;
    multisetremove(m, network);
    if sequence = receiver_number then
      receiver_number := (receiver_number + 1) % number_count;
    end;
    send(acknowledgement, sequence);
  end;

  rule "take an acknowledgement"
    network[m].kind = acknowledgement
  ==>
  begin
    if network[m].sequence = sender_number then
      sender_number := (sender_number + 1) % number_count;
    end;
    multisetremove(m, network);
  end;

end;
