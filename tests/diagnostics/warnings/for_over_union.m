type node: scalarset(2); memory: enum { home };
     place: union { node, memory };
var last: place;
startstate begin
  undefine last;
  -- In a start state the order may be seen: it is executed once, as it stands.
  for p: place do last := p; end;
end;
rule "any" begin for p: place do last := p; end; end;
