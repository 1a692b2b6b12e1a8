var x: 0..3;
startstate begin x := 0; end;
rule "step" x < 3 ==>
begin
  if x = 0 then
    x := 1;
end;
rule "next" true ==> begin x := 0; end;
