var x: 0..3;
    x: boolean;
startstate begin x := 0; end;
rule "idle" true ==> end;
