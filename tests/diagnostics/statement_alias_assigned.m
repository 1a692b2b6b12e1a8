var x: 0..3;
startstate begin
  x := 0;
  alias next: x + 1 do next := 2; end;
end;
rule "idle" true ==> end;
