var x: 0..3;
startstate "zero" x := 0; end;
startstate x := 1 end;
rule x := 2; end;
rule "with locals" x > 0 ==> var y: 0..3; begin y := x; x := y - 1; end;
rule "nothing" true ==> end;
