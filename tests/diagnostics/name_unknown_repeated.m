-- The same unknown name three times: said once for each rule, without further complaints.
var x: 0..3;
startstate begin x := limit; end;
rule "step" x < limit ==> begin x := limit - 1; end;
