type all: -9223372036854775808..9223372036854775807;
var x: all;
startstate begin x := -9223372036854775808; end;
rule "up" x < 0 ==> begin x := x + 9223372036854775807; end;
