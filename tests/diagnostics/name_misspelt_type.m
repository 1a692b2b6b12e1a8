type node_id: 0..3;
var owner: node_di;
startstate begin owner := 0; end;
rule "idle" true ==> end;
