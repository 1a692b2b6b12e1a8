-- Ping-pong: two players and one ball, the smallest model here. Nothing is
-- abstracted. Property: there is one ball.

type player: enum { left, right };

var ball: array [player] of boolean;

startstate
  ball[left] := true;
  ball[right] := false;
end;

rule "ping" ball[left] ==> ball[left] := false; ball[right] := true; end;
rule "pong" ball[right] ==> ball[right] := false; ball[left] := true; end;

invariant "one ball" ball[left] != ball[right];
