type Node: 0..1; NODE: 0..2;
var State: Node; state: NODE; STATE: array [Node] of Node;
startstate begin State := 0; state := 2; clear STATE; end;
rule "mix" STATE[State] = 0 ==> begin STATE[State] := 1; state := STATE[State]; end;
