const size: 2;
var x: 0..9;
procedure work(n: 0..9);
const twice: size * 2;
type small: 0..twice;
var a: array [0..1] of small; done: boolean;
begin
  a[0] := n % twice; a[1] := twice; done := true;
  if done then x := a[0] + a[1]; end;
end;
startstate begin x := 0; end;
rule "step" x < 9 ==> begin work(x); end;
