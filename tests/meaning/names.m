-- Names that the generated code has for itself, and an enum whose name a local takes over.
type
  bool: enum { F, T };
  i64: record u: 0..3 end;
  One_: enum { None_ };
  Color: enum { red, green };
var add: 0..3; c: Color; bb: bool; q: i64; Some: 0..3;
function steps(within: 0..3): 0..3; var None: 0..3; Ok: 0..3; begin None := within; Ok := 1; return (None + Ok) % 4; end;
startstate begin add := 0; c := red; bb := F; q.u := 0; Some := 0; end;
ruleset add_: 0..3; within: 0..3; MODEL: 0..1; rule_2_body: 0..1; SITES: 0..0; TYPE_1: 0..1 do
  rule "r" within = add_ ==>
  var add, steps_, subtract, multiply, negate, Err, One, DESCRIPTION, Fault: 0..3; Color: 0..3; State, Enum1: 0..2;
  begin
    add := within;
    steps_ := steps(add);
    Color := 1;
    Err := (steps_ + 9223372036854775) % 4;
    One := 0;
    State := 0;
    Enum1 := 1;
    DESCRIPTION := MODEL;
    Fault := 1;
    for i := add to steps(add) do Some := i; end;
    subtract := add * add * add % 4;
    multiply := 2;
    negate := -(-1);
    q.u := steps_;
  end;
end;
ruleset function_steps: 0..1; i64: 0..1; usize: 0..1; u32: 0..1; matches: 0..1; Result: 0..1; holds: 0..1; covers: 0..1; Model: 0..1; RULES: 0..1 do
  rule "x" function_steps = 0 & i64 = usize & u32 = matches & Result = holds & covers = Model & RULES = 0 ==> begin add := steps(add) end;
  invariant "i" holds + covers < 3;
end;
