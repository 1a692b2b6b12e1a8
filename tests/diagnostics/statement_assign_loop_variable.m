var x: 0..3;
startstate begin
  for i: 0..3 do i := 2; x := i; end;
end;
rule "idle" true ==> end;
