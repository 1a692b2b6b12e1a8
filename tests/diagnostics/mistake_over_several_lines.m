var x: 0..3; b: boolean;
startstate begin x := 0; b := true; end;
rule "step" (b &
             b &
             !b) + 1 = 2 ==> begin x := 1; end;
