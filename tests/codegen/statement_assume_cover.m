var x: 0..9;
startstate begin x := 0; end;
rule "step" x < 9 ==> begin x := x + 1; assume x != 5 "not five"; cover x = 3 "three in a rule"; end;
