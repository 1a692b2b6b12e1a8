type node: 0..3;
var busy: array [node] of boolean; open: boolean;
startstate begin clear busy; open := true; end;
ruleset i: node; j: node do
  rule "pair" open & busy[i] & !busy[j] & i != j ==> begin busy[i] := false; busy[j] := true; end;
end;
rule "wake" open & forall i: node do !busy[i] end ==> begin busy[0] := true; end;
