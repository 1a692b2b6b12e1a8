-- A round-robin bus arbiter for three devices.
--
-- Devices raise a request line. The arbiter grants the bus to the first requesting
-- device after the one it granted last, so that nobody starves.
--
-- The bug: the arbiter looks at the two devices after the last one, but never at
-- the last one itself, and the last one is device 0 for good, because the register
-- that remembers it is never written. Device 0 never gets the bus. No safety
-- property fails: it shows only because a cover is never reached.
--
-- Abstraction: arbitration is one step.
--
-- Properties: one grant at a time (holds); every device gets the bus at some time
-- (three covers, one of them never reached).

const
  device_count: 3;

type
  device: 0..device_count - 1;

var
  requesting: array [device] of boolean;
  granted: array [device] of boolean;
  last: device;

startstate "idle bus"
begin
  for d: device do
    requesting[d] := false;
    granted[d] := false;
  end;
  last := 0;
end;

ruleset d: device do

  rule "request"
    !requesting[d] & !granted[d]
  ==>
  begin
    requesting[d] := true;
  end;

  rule "release"
    granted[d]
  ==>
  begin
    granted[d] := false;
  end;

end;

rule "arbitrate"
  forall d: device do !granted[d] end
  & exists d: device do requesting[d] end
==>
var
  candidate: device;
  found: boolean;
begin
  found := false;
  for distance := 1 to device_count - 1 do
    candidate := (last + distance) % device_count;
    if !found & requesting[candidate] then
      found := true;
      requesting[candidate] := false;
      granted[candidate] := true;
      -- Missing: last := candidate
    end;
  end;
end;

invariant "one grant at a time"
  forall d: device do
    forall e: device do
      granted[d] & granted[e] -> d = e
    end
  end;

cover "device 0 gets the bus"
  granted[0];

cover "device 1 gets the bus"
  granted[1];

cover "device 2 gets the bus"
  granted[2];
