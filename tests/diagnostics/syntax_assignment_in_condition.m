var x: 0..3;
startstate begin x := 0; end;
rule "step" x < 3 ==>
begin
  if x := 1 then x := 2; else x := 3; end;
end;
