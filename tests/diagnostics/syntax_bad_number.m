const limit: 12abc;
var x: 0..limit;
startstate begin x := 0; end;
