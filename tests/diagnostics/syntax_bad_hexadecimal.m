const limit: 0x;
var x: 0..3;
startstate begin x := 0; end;
