var x: 0..3; b: boolean;
startstate begin x := 0; b := true; end;
rule "step" x & b ==> begin x := 1; end;
