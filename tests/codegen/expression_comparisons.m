var x, y: 0..3;
startstate begin x := 0; y := 0; end;
rule "all" x <= y & x >= y & !(x < y) & !(x > y) & x = y & !(x != y) ==> begin x := 1; end;
