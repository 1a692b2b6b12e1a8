-- What a rule has certainly written before, it does not read; what it has perhaps written, it does.
var x: boolean; y: boolean; z: boolean; seen: boolean;
startstate begin x := false; y := false; z := false; seen := false end;
rule "certain" true ==> begin x := true; if x then y := true end end;
rule "perhaps" true ==> begin if z then x := true end; if x then seen := true end end;
rule "x" true ==> begin x := true end;
