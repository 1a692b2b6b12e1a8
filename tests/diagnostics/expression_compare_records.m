type left: record a: 0..3; end;
     right: record b: boolean; end;
var l: left; r: right;
startstate begin clear l; clear r; end;
invariant "same" l = r;
rule "idle" true ==> end;
