-- Distance-vector routing on a line of four routers, where a link may go down.
--
-- A router looks a destination up in its table and hands the packet to the
-- neighbour found there. When a link goes down the routes that used it are
-- withdrawn, and come back when the link does.
--
-- The bug: the look-up covers every destination that has a route, and the router
-- itself, but says nothing of a destination whose route was withdrawn.
--
-- Abstraction: one packet at a time; the middle link is the one that fails; all
-- tables change in one step.
--
-- Properties: a packet that arrives is at its destination (holds); every look-up
-- has an answer (violated: a function ends without returning).

const
  router_count: 4;

type
  router: 1..router_count;
  direction: enum { to_left, to_right, arrived };

var
  middle_up: boolean;
  packet_in_flight: boolean;
  packet_at: router;
  destination: router;

function has_route(from_router: router; to_router: router): boolean;
begin
  return middle_up | (from_router <= 2) = (to_router <= 2);
end;

function next_hop(from_router: router; to_router: router): direction;
begin
  if from_router = to_router then
    return arrived;
  elsif has_route(from_router, to_router) then
    if to_router < from_router then
      return to_left;
    else
      return to_right;
    end;
  end;
end;

startstate "idle"
begin
  middle_up := true;
  packet_in_flight := false;
  undefine packet_at;
  undefine destination;
end;

ruleset source: router; target: router do
  rule "send a packet"
    !packet_in_flight & has_route(source, target)
  ==>
  begin
    packet_in_flight := true;
    packet_at := source;
    destination := target;
  end;
end;

rule "route the packet"
  packet_in_flight
==>
begin
  switch next_hop(packet_at, destination)
  case to_left:
    packet_at := packet_at - 1;
  case to_right:
    packet_at := packet_at + 1;
  case arrived:
    assert packet_at = destination "delivered where it should be";
    packet_in_flight := false;
    undefine packet_at;
    undefine destination;
  end;
end;

rule "the middle link goes down"
  middle_up
==>
begin
  middle_up := false;
end;

rule "the middle link comes up"
  !middle_up
==>
begin
  middle_up := true;
end;
