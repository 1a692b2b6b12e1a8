var speed: real(4, 2);
startstate begin undefine speed; end;
rule "idle" true ==> end;
