type all: -9223372036854775808 .. 9223372036854775807;
var x: all;
startstate begin x := 0; for i: all do x := i; end; end;
rule "idle" exists i: all do i = x end ==> end;
