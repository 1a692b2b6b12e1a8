var a: array [0..3] 0..3;
startstate begin clear a; end;
