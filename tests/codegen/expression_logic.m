var a, b, c: boolean;
startstate begin a := true; b := false; c := true; end;
rule "mix" (a & b | !c -> a) = (a -> b) ==> begin a := b || c && a; end;
