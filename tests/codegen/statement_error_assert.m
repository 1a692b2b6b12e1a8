var x: 0..3;
startstate begin x := 0; end;
rule "step" x < 3 ==>
begin
  assert x < 3 "below three";
  assert x >= 0;
  x := x + 1;
  if x = 4 then error "above three"; end;
end;
