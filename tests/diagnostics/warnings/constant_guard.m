var x: 0..3;
startstate begin x := 0; end;
rule "never" false ==> begin x := 1; end;
