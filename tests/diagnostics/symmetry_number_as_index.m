type node: scalarset(3);
var busy: array [node] of boolean;
startstate begin clear busy; busy[0] := true; end;
rule "idle" true ==> end;
