var x: 0..100;
function triangle(n: 0..10): 0..100;
begin return n = 0 ? 0 : n + triangle(n - 1); end;
startstate begin x := triangle(4); end;
rule "step" x < 50 ==> begin x := triangle(9); end;
