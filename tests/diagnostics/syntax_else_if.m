var x: 0..3;
startstate begin x := 0; end;
rule "step" true ==>
begin
  if x = 0 then x := 1;
  elseif x = 1 then x := 2;
  else x := 0;
  end;
end;
