type phase: enum { idle, busy };
var p: phase; x: 0..3;
startstate begin p := idle; x := 1; end;
rule "show" true ==> begin put "phase {} \"is\"\t"; put p; put x + 1; put "\n"; end;
