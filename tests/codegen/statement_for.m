var a: array [0..4] of 0..9;
startstate begin for i: 0..4 do a[i] := i; end; end;
rule "shift" true ==>
begin
  for i := 4 to 1 by -1 do a[i] := a[i - 1]; end;
  for i := 0 to a[0] do a[0] := 0; end;
end;
