var bag: multiset [3] of 0..3; x: 0..3;
startstate begin clear bag; x := 0; end;
choose i: bag do
  rule "number" true ==> begin x := i + 1; end;
end;
