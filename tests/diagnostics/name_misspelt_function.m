var x: 0..3;
function successor(n: 0..3): 0..3; begin return (n + 1) % 4; end;
startstate begin x := sucessor(0); end;
rule "idle" true ==> end;
