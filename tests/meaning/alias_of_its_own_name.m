-- An alias may be called like the variable that it stands for, and then hides it.
var x: 1..3; y: 1..3;
startstate begin x := 1; y := 1; end;
alias x: x do
  rule "of the same name" x = 1 ==> begin x := 2; end;
  alias y: x do rule "of another" y = 2 ==> begin y := 3; alias x: y do x := x; end; end; end;
end;
invariant y = 1;
