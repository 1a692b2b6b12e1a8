-- Single-decree Paxos: acceptors agree on one value although proposers compete
-- and messages are slow.
--
-- A proposer starts a ballot by asking the acceptors for promises. An acceptor
-- promises to ignore lower ballots and says what it voted for last. With promises
-- from a majority the proposer proposes the value of the highest vote reported,
-- or any value if there is none. Acceptors vote unless they have promised a higher
-- ballot. A value is chosen once a majority has voted for it in one ballot.
--
-- Abstraction: every ballot has a proposer of its own; messages are never removed,
-- so that they may arrive late, in any order, repeatedly or never; a proposer
-- looks at all promises that have been made so far. Everything ends with the last
-- ballot: run without deadlock checking.
--
-- Properties: at most one value is chosen; a vote is for the value proposed in its
-- ballot; a proposal agrees with what was chosen before. A cover makes sure that
-- a value can be chosen in the last ballot.

const
  acceptor_count: 3;
  majority: acceptor_count / 2 + 1;
  last_ballot: 3;

type
  acceptor: scalarset(acceptor_count);
  acceptor_total: 0..acceptor_count;
  value: scalarset(2);
  ballot: 1..last_ballot;
  ballot_or_none: 0..last_ballot;
  promise: record
    made: boolean;
    voted_in: ballot_or_none;  -- 0: has not voted yet
    voted_for: value;
  end;

var
  started: array [ballot] of boolean;
  promises: array [ballot] of array [acceptor] of promise;
  proposal: array [ballot] of value;  -- undefined: nothing proposed yet
  votes: array [ballot] of array [acceptor] of boolean;

  promised: array [acceptor] of ballot_or_none;
  voted_in: array [acceptor] of ballot_or_none;
  voted_for: array [acceptor] of value;

function promise_total(b: ballot): acceptor_total;
var
  total: acceptor_total;
begin
  total := 0;
  for a: acceptor do
    if promises[b][a].made then
      total := total + 1;
    end;
  end;
  return total;
end;

function chosen_in(b: ballot): boolean;
var
  total: acceptor_total;
begin
  total := 0;
  for a: acceptor do
    if votes[b][a] then
      total := total + 1;
    end;
  end;
  return total >= majority;
end;

-- The highest ballot in which any acceptor that promised b has voted.
function highest_vote(b: ballot): ballot_or_none;
var
  highest: ballot_or_none;
begin
  highest := 0;
  for a: acceptor do
    if promises[b][a].made & promises[b][a].voted_in > highest then
      highest := promises[b][a].voted_in;
    end;
  end;
  return highest;
end;

startstate "nothing proposed"
begin
  undefine promises;
  undefine proposal;
  undefine voted_for;
  for b: ballot do
    started[b] := false;
    for a: acceptor do
      promises[b][a].made := false;
      votes[b][a] := false;
    end;
  end;
  for a: acceptor do
    promised[a] := 0;
    voted_in[a] := 0;
  end;
end;

ruleset b: ballot do

  rule "start a ballot"
    !started[b]
  ==>
  begin
    started[b] := true;
  end;

  ruleset v: value do
    rule "propose a value"
      isundefined(proposal[b])
      & promise_total(b) >= majority
      & (highest_vote(b) = 0
        | exists a: acceptor do
          promises[b][a].made
          & promises[b][a].voted_in = highest_vote(b)
          & promises[b][a].voted_for = v
        end)
    ==>
    begin
      proposal[b] := v;
      cover "the value of the ballot before" b > 1 & highest_vote(b) = b - 1;
    end;
  end;

  ruleset a: acceptor do

    rule "promise"
      started[b] & promised[a] < b
    ==>
    begin
      promised[a] := b;
      promises[b][a].made := true;
      promises[b][a].voted_in := voted_in[a];
      if voted_in[a] > 0 then
        promises[b][a].voted_for := voted_for[a];
      end;
    end;

    rule "vote"
      !isundefined(proposal[b]) & promised[a] <= b & !votes[b][a]
    ==>
    begin
      promised[a] := b;
      voted_in[a] := b;
      voted_for[a] := proposal[b];
      votes[b][a] := true;
    end;

  end;

end;

invariant "one value is chosen"
  forall b: ballot do
    forall c: ballot do
      chosen_in(b) & chosen_in(c) -> proposal[b] = proposal[c]
    end
  end;

invariant "later proposals agree with what was chosen"
  forall b: ballot do
    forall c: ballot do
      b < c & chosen_in(b) & !isundefined(proposal[c]) -> proposal[b] = proposal[c]
    end
  end;

invariant "acceptors remember their last vote"
  forall a: acceptor do
    voted_in[a] > 0 -> voted_for[a] = proposal[voted_in[a]]
  end;

cover "a value is chosen in the last ballot"
  chosen_in(last_ballot);
