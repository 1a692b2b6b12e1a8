var x: 0..3;
    y: x;
startstate begin x := 0; y := 0; end;
rule "idle" true ==> end;
