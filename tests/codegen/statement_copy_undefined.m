var a, b: 0..3; c: 0..7;
startstate begin undefine a; b := a; c := a; end;
rule "copy" isundefined(b) ==> begin a := 1; b := a; end;
