-- A rule that changes what an assumption asks about reads all that it asks about.
var x: boolean; y: boolean; z: boolean; w: boolean;
startstate begin x := false; y := false; z := false; w := false end;
assume "not both" !(x & y);
rule "x" true ==> begin x := !x end;
rule "y" true ==> begin y := !y end;
rule "z" true ==> begin z := !z end;
rule "w" true ==> begin assume !w; w := true end;
