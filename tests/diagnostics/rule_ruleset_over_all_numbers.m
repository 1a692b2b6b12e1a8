type all: -9223372036854775808 .. 9223372036854775807;
var x: all;
startstate begin x := 0; end;
ruleset i: all do rule "set" x != i ==> begin x := i; end; end;
