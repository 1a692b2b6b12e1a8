type node: scalarset(2); memory: enum { home };
     place: union { node, memory };
var last: place;
startstate begin
  undefine last;
  for p: place do last := p; end;
end;
rule "none" false ==> begin last := home; end;
