type node: scalarset(3);
var next: array [node] of node; last: array [node] of 0..3; one: node; sum: 0..9;
startstate begin
  for n: node do next[n] := n; last[n] := 1; end;
  undefine one; sum := 0;
end;
rule "what is in the next one depends on who was before" begin
  for n: node do last[n] := last[next[n]]; end;
end;
rule "two may have the same next one" begin
  for n: node do next[next[n]] := n; end;
end;
rule "harmless" begin
  sum := 0;
  for n: node do
    alias mine: last[n] do
      if mine > 0 then sum := sum + mine; mine := mine - 1; end;
    end;
  end;
end;
