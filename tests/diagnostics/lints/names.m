-- A constant is used by a type, a type by another one, an enum by its members.
const used: 2; unused: used + 1; unused_too: 5; doubled: 4;
type index: 0..used; idle: 0..3; color: enum { red, green }; shade: enum { dark, light }; pair: record a: index; end;
  spare: enum { none };
var x: 0..3; p: pair;
procedure called(); begin x := 0; end;
procedure idle_procedure(); begin idle_too(); end;
procedure idle_too(); begin x := 1; end;
function itself(n: 0..3): boolean; begin return n = 0 ? true : itself(n - 1); end;
startstate begin x := doubled - 4; p.a := 0; end;
rule "a" x = 0 & p.a = 0 ==>
const half: 2; third: 3; type flag: boolean; local_type: 0..2; var f: flag;
begin f := true; x := f ? half : 0; p.a := 1; if dark = dark then called(); end; end;
rule "b" x = 2 ==> begin called(); end;
rule "a" x = 3 ==> begin x := 1; end;
rule "b" x = 1 ==> begin x := 3; end;
rule "b" x = 0 ==> begin x := 1; end;
rule x = 3 ==> begin x := 0; end;
rule x = 1 ==> begin x := 0; end;
