type phase: enum { idle, busy, done };
var p: phase;
startstate begin p := idle; end;
rule "start" p = idle ==> begin p := busy; end;
