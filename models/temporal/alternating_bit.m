-- The alternating bit protocol over channels of one message that lose what is in them. What is sent
-- arrives if messages that are sent again and again are received again and again: the channel must
-- be strongly fair, since what can be received may be lost before it is.

const
  compares: 1;  -- 0: the sender takes each answer for the one to its message
type
  bit: 0..1;

var
  message: record there: boolean; number: bit; end;
  answer: record there: boolean; number: bit; end;
  sending: bit;
  expected: bit;
  delivered: boolean;  -- since the last acknowledgement

startstate
begin
  message.there := false;
  message.number := 0;
  answer.there := false;
  answer.number := 0;
  sending := 0;
  expected := 0;
  delivered := false;
end;

fair rule "send" !message.there ==>
begin
  message.there := true;
  message.number := sending;
end;

rule "lose message" message.there ==> begin message.there := false; message.number := 0; end;
rule "lose answer" answer.there ==> begin answer.there := false; answer.number := 0; end;

strong fair rule "receive" message.there & !answer.there ==>
begin
  if message.number = expected then
    delivered := true;
    expected := 1 - expected;
  end;
  answer.there := true;
  answer.number := message.number;
  message.there := false;
  message.number := 0;
end;

strong fair rule "acknowledge" answer.there ==>
begin
  if compares = 0 | answer.number = sending then
    sending := 1 - sending;
    delivered := false;
  end;
  answer.there := false;
  answer.number := 0;
end;

ltl "each message is delivered" [] <> delivered;
ltl "each message is acknowledged" [] (delivered -> <> !delivered);
ltl "in turn" [] (fired("acknowledge") & delivered -> next !fired("acknowledge"));
ltl "none is left out" forall b: bit do
  [] (sending = b & !delivered -> (sending = b weakuntil delivered)) end;
liveness "delivers again" delivered;
