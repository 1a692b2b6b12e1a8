var x: 0..3;
startstate begin x := 0; assert x "is zero"; end;
rule "idle" true ==> end;
