const mask: 0xFF;
var x: -1..mask;
startstate begin x := -1; end;
rule "step" x ≤ mask − 1 ∧ x ≠ 0x10 ==> begin x ≔ x + 1; end;
