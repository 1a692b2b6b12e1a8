-- Each of the three rules has its own mistake, and all are reported.
var x: 0..3;
startstate begin x := 0; end;
rule "one" x = 0 => begin x := 1; end;
rule "two" x = 1 ==> begin x == 2; end;
rule "three" x = 2 ==> begin x := ; end;
