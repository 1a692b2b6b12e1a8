type match: enum { fn, impl, dyn }; struct: record loop: 0..3; mut: match; end;
var self: struct; crate: match;
procedure unsafe(ref: 0..3); begin self.loop := ref; end;
startstate "async" begin self.loop := 0; self.mut := fn; crate := dyn; end;
ruleset use: 0..3 do
  rule "await" self.loop < use ==> begin unsafe(use); self.mut := impl; end;
end;
