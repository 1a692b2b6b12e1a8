-- A thermostat with real numbers.
--
-- A heater warms a room by a quarter of a degree a step while it is on, and the
-- room loses half of that while it is off. The thermostat switches at two
-- thresholds with a gap between them, so that it does not flutter.
--
-- Abstraction: time is counted in steps; the outside does not change. All steps
-- are multiples of one eighth, so that the arithmetic is exact.
--
-- Property: the temperature stays in a band a little wider than the thresholds.

const
  low_threshold: 19.5;
  high_threshold: 21.0;
  warming: 0.25;
  cooling: 0.125;

type
  temperature: real(6, 99);

var
  room: temperature;
  heating: boolean;

startstate "cool and off"
begin
  room := 20.0;
  heating := false;
end;

rule "the room gets warmer"
  heating & room < high_threshold
==>
begin
  room := room + warming;
end;

rule "the room gets cooler"
  !heating & room > low_threshold
==>
begin
  room := room - cooling;
end;

rule "switch on"
  !heating & room <= low_threshold
==>
begin
  heating := true;
end;

rule "switch off"
  heating & room >= high_threshold
==>
begin
  heating := false;
end;

invariant "comfortable"
  room >= low_threshold - cooling & room <= high_threshold + warming;
