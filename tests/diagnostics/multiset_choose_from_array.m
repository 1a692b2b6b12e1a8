var a: array [0..3] of boolean;
startstate begin clear a; end;
choose i: a do
  rule "take" a[i] ==> begin a[i] := false; end;
end;
