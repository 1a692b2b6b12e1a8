type small: 0..3; wide: 0..7;
var w: wide;
procedure set(var target: small); begin target := 1; end;
startstate begin set(w); end;
rule "idle" true ==> end;
