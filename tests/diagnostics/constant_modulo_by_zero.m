var x: 0..(7 % 0);
startstate begin x := 0; end;
rule "idle" true ==> end;
