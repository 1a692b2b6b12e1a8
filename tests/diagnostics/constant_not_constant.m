var x: 0..3;
const next: x + 1;
startstate begin x := next; end;
rule "idle" true ==> end;
