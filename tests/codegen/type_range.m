const low: -2;
var x: low..5;
startstate begin x := low; end;
rule "up" x < 5 ==> begin x := x + 1; end;
