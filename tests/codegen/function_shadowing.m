var x: 0..3;
procedure set(x: 0..3); var y: 0..3; begin y := x; put y; end;
startstate begin x := 0; end;
ruleset x: 0..1 do
  rule "inner" x = 1 ==> begin set(x); end;
end;
rule "outer" x < 3 ==> begin x := x + 1; end;
