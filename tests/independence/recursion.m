-- What a recursive function can reach, it may read and write.
type node: 0..2;
var a: array [node] of node; b: node; c: node;
procedure down(n: node; var v: node); begin if n > 0 then a[n] := n; down(n - 1, v) else v := 1 end end;
startstate begin for i: node do a[i] := 0 end; b := 0; c := 0 end;
rule "deep" true ==> begin down(2, b) end;
rule "b" true ==> begin b := 0 end;
rule "c" true ==> begin c := 1 - c end;
rule "a" true ==> begin a[0] := 0 end;
