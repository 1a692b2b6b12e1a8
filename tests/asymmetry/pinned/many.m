-- Ten elements, more than are handled without loops; the processors are told apart by the first loop.
type p: scalarset(3); q: scalarset(7);
var next: array [q] of q; at: array [q] of p; first: p; turns: 0..2; left: 0..3;
startstate begin undefine next; undefine at; undefine first; turns := 0; left := 3; end;
ruleset r: q; s: q do
  rule "link" left > 0 & isundefined(next[r]) & r != s ==> begin next[r] := s; left := left - 1; end;
end;
ruleset r: q; i: p do
  rule "place" turns < 2 & isundefined(at[r]) & !isundefined(next[r]) ==>
  begin
    at[r] := i;
    turns := turns + 1;
    for j: p do if isundefined(first) then first := j; end; end;
  end;
end;
