type node: scalarset(2); who: union { enum { home }, node };
var owner: node; last: who; n: 0..1;
function same(x: node): node; begin return x; end;
startstate begin n := 0; end;
ruleset i: node do
  rule owner = i & last != home & last = owner & same(owner) != i ==>
  begin
    switch last case home: n := 1; else n := 0; end;
    last := n = 0 ? i : same(owner);
    alias k: same(i) do if k = owner then n := 1; end; end;
  end;
end;
