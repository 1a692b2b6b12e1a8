var x: 0..3;
function bump(): boolean; begin x := (x + 1) % 4; return x = 0; end;
startstate begin x := 0; end;
alias bumped: bump() do
  rule "step" bumped ==> begin x := 2; end;
end;
