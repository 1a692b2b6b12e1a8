-- A pedestrian crossing with a push button. This file has the line ends of
-- another system: carriage return and line feed.
--
-- Cars have green until somebody pushes the button; then the lights change in
-- turn, and pedestrians get a green light of limited time.
--
-- Abstraction: time is counted in steps.
--
-- Properties: cars and pedestrians never have green at the same time; whoever
-- pushed the button is not forgotten.

const
  green_time: 3;

type
  car_light: enum { car_green, car_yellow, car_red, car_red_yellow };
  walk_light: enum { stop, walk };

var
  cars: car_light;
  walkers: walk_light;
  pushed: boolean;
  time_left: 0..green_time;

startstate "cars go"
begin
  cars := car_green;
  walkers := stop;
  pushed := false;
  time_left := 0;
end;

rule "push the button"
  !pushed & walkers = stop
==>
begin
  pushed := true;
end;

rule "change the lights"
  pushed | cars != car_green
==>
begin
  switch cars
  case car_green:
    cars := car_yellow;
  case car_yellow:
    cars := car_red;
    walkers := walk;
    pushed := false;
    time_left := green_time;
  case car_red:
    if time_left > 0 then
      time_left := time_left - 1;
    elsif walkers = walk then
      walkers := stop;
    else
      cars := car_red_yellow;
    end;
  case car_red_yellow:
    cars := car_green;
  end;
end;

invariant "never both"
  walkers = walk -> cars = car_red;

invariant "the button is not forgotten"
  cars = car_yellow -> pushed;
