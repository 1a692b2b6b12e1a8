-- Two-phase commit. A participant may refuse; the coordinator may wait for ever for a participant
-- that has crashed before it voted, unless it gives up after a time.

const
  participants: 3;
  gives_up: 1;
type participant: 1..participants;

var
  coordinator: enum { asking, committed, aborted };
  state: array [participant] of enum { working, prepared, committing, aborting, crashed };

startstate
begin
  coordinator := asking;
  for p: participant do state[p] := working; end;
end;

ruleset p: participant do
  fair rule "vote yes" state[p] = working ==> begin state[p] := prepared; end;
  rule "vote no" state[p] = working ==> begin state[p] := aborting; end;
  rule "crash" state[p] = working ==> begin state[p] := crashed; end;
  fair rule "hear commit" coordinator = committed & state[p] = prepared ==> begin state[p] := committing; end;
  fair rule "hear abort" coordinator = aborted & (state[p] = prepared | state[p] = working) ==>
  begin
    state[p] := aborting;
  end;
end;

fair rule "commit" coordinator = asking & forall p: participant do state[p] = prepared end ==>
begin
  coordinator := committed;
end;

fair rule "abort" coordinator = asking & exists p: participant do state[p] = aborting end ==>
begin
  coordinator := aborted;
end;

fair rule "give up" gives_up = 1 & coordinator = asking & exists p: participant do state[p] = crashed end ==>
begin
  coordinator := aborted;
end;

reject "disagreement" exists p: participant; q: participant do
  state[p] = committing & state[q] = aborting end;

ltl "a decision" <> (coordinator != asking);
ltl "nobody is left alone" forall p: participant do
  state[p] = prepared ~> (state[p] = committing | state[p] = aborting) end;
ltl "decisions stay" [] (coordinator = committed -> [] coordinator = committed);
deadlock "undecided" coordinator = asking | exists p: participant do state[p] = prepared end;
