var x: 0..3;
startstate begin x := 0; end;
rule "step" true ==>
begin
  for i: 0..3 do
    x := i;
  endif;
end;
