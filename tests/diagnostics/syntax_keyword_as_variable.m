var rule: 0..3;
startstate begin rule := 0; end;
