-- A token ring that may start without a token.
--
-- A station that holds the token passes it on. The stations decide at start-up,
-- each on its own, whether to hold a token, and a later step removes spare ones.
--
-- The bug: nothing creates the token if nobody began with one. The property fails
-- in a start state, before any rule has fired.
--
-- Abstraction: passing the token is one step.
--
-- Property: there is at least one token (violated).

const
  station_count: 3;

type
  station: 0..station_count - 1;

var
  holds: array [station] of boolean;

ruleset a: boolean; b: boolean; c: boolean do
  startstate "any tokens"
  begin
    holds[0] := a;
    holds[1] := b;
    holds[2] := c;
  end;
end;

ruleset s: station do
  rule "pass the token"
    holds[s] & !holds[(s + 1) % station_count]
  ==>
  begin
    holds[s] := false;
    holds[(s + 1) % station_count] := true;
  end;

  rule "remove a spare token"
    holds[s] & holds[(s + 1) % station_count]
  ==>
  begin
    holds[s] := false;
  end;
end;

invariant "there is a token"
  exists s: station do holds[s] end;
