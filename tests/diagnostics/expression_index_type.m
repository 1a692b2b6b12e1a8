type colour: enum { red, green };
var a: array [colour] of boolean;
startstate begin clear a; end;
rule "set" a[0] ==> begin a[red] := true; end;
