var request_queue: 0..3;
startstate begin request_queue := 0; end;
rule "step" reqest_queue < 3 ==> begin request_queue := 1; end;
