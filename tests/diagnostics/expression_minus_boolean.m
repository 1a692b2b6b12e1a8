var b: boolean;
startstate begin b := -true; end;
rule "idle" true ==> end;
