var flag: boolean;
startstate begin flag := false; end;
rule "flip" true ==> begin flag := !flag; end;
