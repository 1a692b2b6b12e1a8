-- A rule of a larger number asks the guards of those with smaller ones.
var x: boolean; y: boolean; z: boolean;
startstate begin x := false; y := false; z := false end;
rule 1 "urgent" x ==> begin x := false end;
rule 5 "x" true ==> begin x := true end;
rule 5 "y" true ==> begin y := !y end;
rule 5 "z" true ==> begin z := !z end;
rule 9 "last" z ==> begin z := false end;
