var x: 0..3;
startstate begin x := 0; end;
ruel "step" x < 3 ==> begin x := x + 1; end;
invarient x < 3;
