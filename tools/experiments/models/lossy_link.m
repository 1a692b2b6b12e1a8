-- A sender that prepares each frame in several steps and sends it over a link that may lose it:
-- few successors a state, 1.17, as the radio link of M. Mäkelä's experiments has.

const
  Frames: 12;
  Steps: 4;

type
  Frame: 0..Frames;

var
  frame: Frame;
  step: 0..Steps;
  lost: array [Frame] of boolean;

startstate
begin
  frame := 0;
  step := 0;
  for f: Frame do
    lost[f] := false;
  end;
end;

rule "prepare"
  frame < Frames & step < Steps
==>
begin
  step := step + 1;
end;

rule "deliver"
  frame < Frames & step = Steps
==>
begin
  frame := frame + 1;
  step := 0;
end;

rule "lose"
  frame < Frames & step = Steps
==>
begin
  lost[frame] := true;
  frame := frame + 1;
  step := 0;
end;

rule "begin again"
  frame = Frames
==>
begin
  frame := 0;
  for f: Frame do
    lost[f] := false;
  end;
end;

invariant "what was not sent was not lost"
  forall f: Frame do f >= frame -> !lost[f] end;
