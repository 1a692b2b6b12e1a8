-- The Needham-Schroeder public-key protocol, as repaired by Lowe.
--
-- Two agents authenticate each other by exchanging nonces under each other's
-- public keys:
--   1.  A -> B   {nonce of A, A} under the key of B
--   2.  B -> A   {nonce of A, nonce of B, B} under the key of A
--   3.  A -> B   {nonce of B} under the key of B
-- Lowe's repair is the name B in the second message. Without it an intruder with
-- whom A talks can pass as A to B: models/broken/invariant_needham_schroeder.m.
--
-- Abstraction: Dolev and Yao's intruder, who is the network: it receives whatever
-- the honest agents send, opens what is encrypted for it, keeps the rest, and
-- sends them anything that it can build from what it knows. Encryption is
-- perfect. Every honest agent takes part in one run, as initiator or responder.
-- A nonce is named by the agent that made it; all nonces that the intruder makes
-- count as one. Runs end, and the model with them: run without deadlock checking.
--
-- Properties: whoever believes to have talked to an honest agent has done so.

const
  initiator_count: 2;
  responder_count: 2;
  memory_size: 10;

type
  initiator: scalarset(initiator_count);
  responder: scalarset(responder_count);
  agent: union { initiator, responder, enum { intruder } };

  message_kind: enum { opening, reply, confirmation };
  message: record
    from_intruder: boolean;
    key: agent;  -- whose public key encrypts the message
    kind: message_kind;
    initiator_nonce: agent;  -- of opening and reply
    responder_nonce: agent;  -- of reply and confirmation
    name: agent;             -- of opening and reply
  end;

  progress: enum { idle, waiting, convinced };
  session: record
    stage: progress;
    partner: agent;
  end;

var
  initiator_session: array [initiator] of session;
  responder_session: array [responder] of session;
  network: multiset [1] of message;
  knows_nonce: array [agent] of boolean;    -- the intruder's knowledge
  kept: multiset [memory_size] of message;  -- what it could not open

-- Messages without a field carry the intruder's name there, to be comparable.
procedure send(
  by_intruder: boolean;
  key: agent;
  kind: message_kind;
  initiator_nonce: agent;
  responder_nonce: agent;
  name: agent;
);
var
  letter: message;
begin
  letter.from_intruder := by_intruder;
  letter.key := key;
  letter.kind := kind;
  letter.initiator_nonce := initiator_nonce;
  letter.responder_nonce := responder_nonce;
  letter.name := name;
  multisetadd(letter, network);
end;

function network_is_free(): boolean;
begin
  return multisetcount(m: network, true) = 0;
end;

startstate "nobody has begun"
begin
  undefine initiator_session;
  undefine responder_session;
  undefine network;
  undefine kept;
  for i: initiator do
    initiator_session[i].stage := idle;
  end;
  for r: responder do
    responder_session[r].stage := idle;
  end;
  for a: agent do
    knows_nonce[a] := false;
  end;
  knows_nonce[intruder] := true;
end;

----------------------------------------------------------------- honest agents

ruleset i: initiator; partner: agent do
  rule "initiator opens"
    initiator_session[i].stage = idle & !ismember(partner, initiator)
    & network_is_free()
  ==>
  begin
    send(false, partner, opening, i, intruder, i);
    initiator_session[i].stage := waiting;
    initiator_session[i].partner := partner;
  end;
end;

ruleset i: initiator do
  choose m: network do
    alias letter: network[m] do
      rule "initiator gets a reply"
        letter.from_intruder & letter.key = i
      ==>
      var
        nonce: agent;
        accepted: boolean;
      begin
        nonce := letter.responder_nonce;
        accepted := initiator_session[i].stage = waiting
          & letter.kind = reply
          & letter.initiator_nonce = i
          & letter.name = initiator_session[i].partner;
        multisetremove(m, network);
        if accepted then
          initiator_session[i].stage := convinced;
          send(false, initiator_session[i].partner, confirmation, intruder, nonce, intruder);
        end;
      end;
    end;
  end;
end;

ruleset r: responder do
  choose m: network do
    alias letter: network[m] do
      rule "responder gets a message"
        letter.from_intruder & letter.key = r
      ==>
      var
        kind: message_kind;
        name: agent;
        nonce: agent;
        own_nonce_returned: boolean;
      begin
        kind := letter.kind;
        name := letter.name;
        nonce := letter.initiator_nonce;
        own_nonce_returned := letter.responder_nonce = r;
        multisetremove(m, network);
        alias mine: responder_session[r] do
          if mine.stage = idle & kind = opening then
            mine.stage := waiting;
            mine.partner := name;
            send(false, name, reply, nonce, r, r);
          elsif mine.stage = waiting & kind = confirmation & own_nonce_returned then
            mine.stage := convinced;
          end;
        end;
      end;
    end;
  end;
end;

------------------------------------------------------------------ the intruder

choose m: network do
  alias letter: network[m] do
    rule "intruder takes a message"
      !letter.from_intruder
    ==>
    var
      copy: message;
    begin
      copy := letter;
      multisetremove(m, network);
      if copy.key = intruder then
        if copy.kind != confirmation then
          knows_nonce[copy.initiator_nonce] := true;
        end;
        if copy.kind != opening then
          knows_nonce[copy.responder_nonce] := true;
        end;
      else
        -- Keep one copy.
        multisetremovepred(k: kept,
          kept[k].key = copy.key & kept[k].kind = copy.kind
          & kept[k].initiator_nonce = copy.initiator_nonce
          & kept[k].responder_nonce = copy.responder_nonce
          & kept[k].name = copy.name);
        multisetadd(copy, kept);
      end;
    end;
  end;
end;

choose k: kept do
  rule "intruder passes a message on"
    network_is_free()
  ==>
  var
    copy: message;
  begin
    copy := kept[k];
    copy.from_intruder := true;
    multisetadd(copy, network);
  end;
end;

ruleset victim: responder; nonce: agent; claimed: agent do
  rule "intruder makes an opening"
    network_is_free() & knows_nonce[nonce] & !ismember(claimed, responder)
  ==>
  begin
    send(true, victim, opening, nonce, intruder, claimed);
  end;
end;

ruleset victim: initiator; first: agent; second: agent; claimed: agent do
  rule "intruder makes a reply"
    network_is_free() & knows_nonce[first] & knows_nonce[second]
    & !ismember(claimed, initiator)
  ==>
  begin
    send(true, victim, reply, first, second, claimed);
  end;
end;

ruleset victim: responder; nonce: agent do
  rule "intruder makes a confirmation"
    network_is_free() & knows_nonce[nonce]
  ==>
  begin
    send(true, victim, confirmation, intruder, nonce, intruder);
  end;
end;

-------------------------------------------------------------------- properties

invariant "a responder is right about its initiator"
  forall r: responder do
    responder_session[r].stage = convinced & ismember(responder_session[r].partner, initiator)
    -> initiator_session[responder_session[r].partner].stage = convinced
    & initiator_session[responder_session[r].partner].partner = r
  end;

invariant "an initiator is right about its responder"
  forall i: initiator do
    initiator_session[i].stage = convinced & ismember(initiator_session[i].partner, responder)
    -> responder_session[initiator_session[i].partner].stage != idle
    & responder_session[initiator_session[i].partner].partner = i
  end;

invariant "nonces meant for honest agents stay secret"
  forall r: responder do
    responder_session[r].stage != idle & ismember(responder_session[r].partner, initiator)
    -> !knows_nonce[r]
  end;
