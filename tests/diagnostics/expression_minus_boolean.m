var b: boolean;
startstate begin b := -true; end;
