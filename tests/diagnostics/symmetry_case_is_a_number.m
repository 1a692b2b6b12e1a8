type node: scalarset(3);
var owner: node; turns: 0..3;
startstate begin undefine owner; turns := 0; end;
rule "two nodes are special" begin
  switch owner
    case 1: turns := 1;
    case 2: turns := 2;
    else turns := 0;
  end;
end;
