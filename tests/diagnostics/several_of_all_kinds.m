-- One run reports them all, in the order of the text.
type colour: enum { red, green };
var c: colour; x: 0..3;
startstate begin c := red; x := true; end;
rule "one" x ==> begin c := 1; end;
rule "two" unknown ==> begin x := c; end;
ruleset i: 0..3 do
  rule "three" c = green ==> begin i := 0; x.y := 1; end;
end;
invariant "four" x + 1;
