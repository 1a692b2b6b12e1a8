-- ünïcödé, and the column counts characters.
var x: 0..3;
startstate begin x := 0; end;
rule "größer → ✓" x < limit ==> begin x := 1; end;
