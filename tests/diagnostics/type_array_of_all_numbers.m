type all: -9223372036854775808 .. 9223372036854775807;
var a: array [all] of boolean;
startstate begin a[0] := true; end;
rule "idle" true ==> end;
