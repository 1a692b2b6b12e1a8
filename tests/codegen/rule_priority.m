var x: 0..3; busy: boolean;
startstate begin x := 0; busy := false; end;
rule 10 "urgent" busy ==> begin busy := false; end;
ruleset i: 1..2 do
  rule 90 "step" x + i <= 3 ==> begin x := x + i; busy := true; end;
end;
