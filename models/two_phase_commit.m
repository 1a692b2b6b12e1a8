-- Two-phase commit: a coordinator and its participants agree on the outcome of a
-- transaction.
--
-- The coordinator asks everyone to prepare. A participant votes; having voted yes
-- it may not change its mind and waits for the decision. The coordinator commits
-- if every vote is yes, and aborts on the first no or when it gets impatient.
-- A participant that has not voted yet may abort on its own. Participants may
-- crash and recover from their log, which holds the vote and the decision.
--
-- Abstraction: a message is a set member (present or not), so that channels lose
-- nothing and keep no order; the coordinator does not crash; after everyone has
-- learned the outcome the next transaction begins in the initial state.
--
-- Properties: no participant commits while another one aborts; a commit needs
-- the yes of everyone; the coordinator's decision binds everyone.

const
  participant_count: 4;

type
  participant: scalarset(participant_count);
  vote: enum { vote_none, vote_yes, vote_no };
  outcome: enum { pending, committed, aborted };

var
  -- The coordinator.
  decision: outcome;
  heard: array [participant] of vote;
  acknowledged: array [participant] of boolean;

  -- The participants: what is in the log, and whether the process is running.
  logged_vote: array [participant] of vote;
  logged_outcome: array [participant] of outcome;
  running: array [participant] of boolean;

  -- Messages on their way.
  prepare_sent: array [participant] of boolean;
  vote_sent: array [participant] of vote;
  decision_sent: array [participant] of outcome;
  acknowledgement_sent: array [participant] of boolean;

procedure begin_transaction();
begin
  decision := pending;
  for p: participant do
    heard[p] := vote_none;
    acknowledged[p] := false;
    logged_vote[p] := vote_none;
    logged_outcome[p] := pending;
    running[p] := true;
    prepare_sent[p] := true;
    vote_sent[p] := vote_none;
    decision_sent[p] := pending;
    acknowledgement_sent[p] := false;
  end;
end;

procedure decide(result: outcome);
begin
  decision := result;
  for p: participant do
    decision_sent[p] := result;
  end;
end;

startstate "prepare requests are out"
begin
  begin_transaction();
end;

ruleset p: participant do

  rule "vote yes"
    running[p] & prepare_sent[p] & logged_vote[p] = vote_none
    & logged_outcome[p] = pending
  ==>
  begin
    prepare_sent[p] := false;
    logged_vote[p] := vote_yes;
    vote_sent[p] := vote_yes;
  end;

  rule "vote no"
    running[p] & prepare_sent[p] & logged_vote[p] = vote_none
    & logged_outcome[p] = pending
  ==>
  begin
    prepare_sent[p] := false;
    logged_vote[p] := vote_no;
    logged_outcome[p] := aborted;
    vote_sent[p] := vote_no;
  end;

  rule "hear a vote"
    vote_sent[p] != vote_none
  ==>
  begin
    heard[p] := vote_sent[p];
    vote_sent[p] := vote_none;
    if heard[p] = vote_no & decision = pending then
      decide(aborted);
    end;
  end;

  rule "learn the decision"
    running[p] & decision_sent[p] != pending
  ==>
  begin
    assert logged_outcome[p] = pending | logged_outcome[p] = decision_sent[p]
      "the log agrees with the decision";
    logged_outcome[p] := decision_sent[p];
    decision_sent[p] := pending;
    prepare_sent[p] := false;
    acknowledgement_sent[p] := true;
  end;

  rule "hear an acknowledgement"
    acknowledgement_sent[p]
  ==>
  begin
    acknowledgement_sent[p] := false;
    acknowledged[p] := true;
  end;

  rule "crash"
    running[p]
  ==>
  begin
    running[p] := false;
  end;

  rule "recover"
    !running[p]
  ==>
  begin
    running[p] := true;
    -- A vote that was logged is sent again; a second copy does no harm.
    if logged_vote[p] != vote_none & decision = pending then
      vote_sent[p] := logged_vote[p];
    end;
  end;

end;

rule "everyone said yes"
  decision = pending & forall p: participant do heard[p] = vote_yes end
==>
begin
  decide(committed);
end;

rule "out of patience"
  decision = pending & exists p: participant do heard[p] = vote_none end
==>
begin
  decide(aborted);
end;

rule "next transaction"
  forall p: participant do acknowledged[p] & vote_sent[p] = vote_none end
==>
begin
  begin_transaction();
end;

invariant "participants agree"
  forall p: participant do
    forall q: participant do
      !(logged_outcome[p] = committed & logged_outcome[q] = aborted)
    end
  end;

invariant "nobody commits against a vote"
  (exists p: participant do logged_outcome[p] = committed end)
  -> forall p: participant do logged_vote[p] = vote_yes end;

invariant "the decision binds"
  forall p: participant do
    logged_outcome[p] = committed -> decision = committed
  end;
