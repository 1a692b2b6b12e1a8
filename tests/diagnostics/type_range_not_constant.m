var n: 0..3;
    x: 0..n;
startstate begin n := 0; x := 0; end;
rule "idle" true ==> end;
