var x: 0..3;
startstate begin
  for i: 0..3 do x := i; end;
  x := i;
end;
rule "idle" true ==> end;
