-- Stations join a ring, and the ring decides how many of them may send.
--
-- A station that is not yet in the ring joins behind any station that is: it takes
-- over that one's successor and becomes its successor itself. Stations of the ring
-- start and stop sending; at most two send at a time.
--
-- Abstraction: joining is one step, and nobody ever leaves. How the permission to
-- send goes around is left out; there is always somebody who knows.
--
-- Property: following the successors from any station leads back to it, after as
-- many steps as there are stations in the ring.
--
-- For symmetry reduction this is a hard case: in a ring every station has one
-- successor and is one, so looking at neighbours tells nothing apart. As long as nobody
-- sends, the ring turns onto itself in as many ways as it has stations.

const
  station_count: 16;

type
  station: scalarset(station_count);
  station_total: 0..station_count;

var
  next: array [station] of station;  -- undefined: not in the ring
  sends: array [station] of boolean;
  members: station_total;
  senders: 0..2;

-- How many steps it takes from a station back to itself.
function steps_around(first: station): station_total;
var
  here: station;
  steps: station_total;
begin
  here := next[first];
  steps := 1;
  while here != first & steps < station_count do
    here := next[here];
    steps := steps + 1;
  end;
  return steps;
end;

ruleset first: station do
  startstate "a ring of one"
  begin
    undefine next;
    next[first] := first;
    for s: station do
      sends[s] := false;
    end;
    members := 1;
    senders := 0;
  end;
end;

ruleset s: station do

  ruleset newcomer: station do
    rule "join"
      !isundefined(next[s]) & isundefined(next[newcomer])
    ==>
    begin
      next[newcomer] := next[s];
      next[s] := newcomer;
      members := members + 1;
    end;
  end;

  rule "start to send"
    !isundefined(next[s]) & !sends[s] & senders < 2
  ==>
  begin
    sends[s] := true;
    senders := senders + 1;
  end;

  rule "stop"
    sends[s]
  ==>
  begin
    sends[s] := false;
    senders := senders - 1;
  end;

end;

invariant "one ring"
  forall s: station do
    !isundefined(next[s]) -> steps_around(s) = members
  end;
