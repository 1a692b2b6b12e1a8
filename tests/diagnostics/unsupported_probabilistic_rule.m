var x: 0..3;
startstate begin x := 0; end;
rule "heads" 0.5 ==> begin x := 1; end;
rule "tails" 0.5 ==> begin x := 2; end;
