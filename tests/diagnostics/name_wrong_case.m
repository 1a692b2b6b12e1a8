var State: 0..3;
startstate begin state := 0; end;
rule "idle" true ==> end;
