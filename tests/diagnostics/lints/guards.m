-- The first three rules never fire. The others may, one of them with another value of a constant.
const lossy: false; size: 1; level: 2; option: 1;
type index: 1..size;
var x: 0..3; a: array [index] of boolean;
startstate begin x := 0; clear a; end;
rule "beyond" x > 3 ==> begin x := 0; end;
ruleset i: 0..2 do rule "never" i = 3 | false ==> begin x := 0; end; end;
rule "literal" false ==> begin x := 0; end;
rule "lossy" lossy & x = 0 ==> begin x := 1; end;
ruleset i: index; j: index do rule "two" i < j & a[i] ==> begin a[j] := true; end; end;
rule "level" level > 4 ==> begin x := 2; end;
rule "option" option = 3 & x = 0 ==> begin x := 1; end;
rule "last" x < 3 ==> begin x := x + 1; end;
