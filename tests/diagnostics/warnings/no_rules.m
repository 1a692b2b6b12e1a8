var x: 0..3;
startstate begin x := 0; end;
invariant "small" x < 4;
