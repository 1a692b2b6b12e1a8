-- What a guard writes stays in the successor.
type node: 0..2;
var counter: node; a: array [node] of node;
function draw(): boolean; begin counter := (counter + 1) % 3; return counter > 0 end;
startstate begin counter := 0; for i: node do a[i] := 0 end end;
rule "draws" draw() ==> begin a[0] := 1 end;
rule "reads" counter = 1 ==> begin a[1] := 1 end;
rule "neither" true ==> begin a[2] := 1 - a[2] end;
