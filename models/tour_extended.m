-- A tour of the extended language, as Rumur has it.
--
-- A small processor with two registers of four bits runs a program of any length.
-- A supervisor switches it off and on and resets it; the weather changes its speed.
--
-- Abstraction: there is no program: any instruction may come next, within the
-- assumptions below.
--
-- Properties: parity and carry flags are right after every instruction; every
-- kind of instruction is covered; the processor can always be brought back to
-- its reset state.
--
-- What to look at, as a reader of the language: bitwise operators, operators of
-- one character, literals in base 16, records and arrays compared as a whole,
-- `assume` and `cover` both at top level and in rules, cases that are
-- not constant, declarations between rules, missing and doubled semicolons, an
-- empty record, and messages on either side of an assertion.

const
  width: 0x4
  mask: (1 << width) - 1;;
  register_count: (1 << 1) + 0
  deepest: -0x2

type
  bits: 0..mask
  register: 0..register_count - 1
  nothing: record end
  flags: record
    odd: boolean
    carry: boolean
  end
  bank: array [register] of bits;
  temperature: deepest..1;
  power: enum { off, on, };  -- a comma after the last member

var
  registers, shadow: bank
  status, shadow_status: flags;
  supply: power
  heat: temperature
  void: nothing  -- holds no information

function parity(b: 0..mask): boolean
begin
  if b == 0 then
    return false
  end;
  return ((b & 1) = 1) != parity(b >> 1)
end

-- The instructions share one way to set the flags.
procedure finish(var target: bits; var result: flags; sum: 0..2 * mask)
begin
  target := sum & mask;
  result.carry := sum > mask;
  result.odd := parity(target)
end

-- A record is returned, and compared below without being stored.
function flags_of(b: bits; carry: boolean): flags
var
  computed: flags
begin
  computed.odd := parity(b);
  computed.carry := carry;
  return computed
end

startstate "reset"
begin
  clear registers;
  for r: register do shadow[r] := 0x0 end;
  clear status;
  clear shadow_status;
  supply := off;
  heat := 0;
  clear void;

  -- Operators, checked once.
  assert ((5 | 3) = 7) & ((5 & 3) = 1) & ((5 ^ 3) = 6) & ((~5 & mask) = 10);
  assert 1 << 2 + 1 = 8 "shifts bind looser than sums";
  assert "unicode" 2 ≤ 3 ∧ 3 ≥ 2 ∧ 2 ≠ 3 ∧ ¬(1 > 2) ∧ (1 > 2 ∨ true) ∧ (false → false);
  assert "more unicode" (∀ i: register do i < register_count end) ∧ ∃ i: bits do i = mask end;
  assert (1 < 2 && 2 < 3) || false;
end

-- Declarations may come between rules.
function set_bits(a: 0..mask; b: 0..mask): bits
begin
  return a | b
end

rule "switch on" supply = off ==> begin supply ≔ on end

rule "switch off"
  supply == on
==>
begin
  supply := off;
  registers := shadow;;
  status := shadow_status
end

ruleset target: register; source: register do

  rule "add"
    supply = on ∧ heat < 1
  ⇒
  var
    sum: 0..2 * mask
  begin
    sum := registers[target] + registers[source];
    finish(registers[target], status, sum);
    assert "the flags are those of the result"
      status = flags_of(registers[target], sum > mask);
    cover "a carry" status.carry;
  end;

  rule "exclusive or"
    supply = on & target != source
  ==>
  begin
    finish(registers[target], status, registers[target] ^ registers[source]);
  end;

  rule "move"
    supply = on & target != source & registers[target] != registers[source]
  ==>
  begin
    registers[target] := registers[source];
    status.carry := false;
    status.odd := parity(registers[target]);
    assert set_bits(registers[target], registers[source]) = registers[target];
    cover "a sum was moved" registers[target] > 8;
  end;

end;

ruleset target: register do
  rule "shift and increment"
    supply = on
  ==>
  begin
    assume heat >= deepest + 1;  -- too cold to shift
    switch registers[target]
    case registers[(target + 1) % register_count]:
      finish(registers[target], status, registers[target] + 1);
    case 0, 1, 2, 3:
      finish(registers[target], status, registers[target] << 1);
    else
      finish(registers[target], status, registers[target] >> 1);
    end;
  end;
end;

rule "the weather changes"
  supply = off
==>
begin
  if heat = 1 then
    heat := deepest
  else
    heat := heat + 1
  end
end

rule "a reset of everything"
  supply = off & registers != shadow | supply = on
==>
begin
  clear registers;
  clear status;
end

var
  -- Declared late, and used by a property only.
  unused_bits: bits;

assume "registers stay below 12"
  forall r: register do registers[r] < 12 end

invariant "the shadow copy is never written"
  shadow[0] = 0 & shadow[1] = 0 & !shadow_status.odd & !shadow_status.carry

invariant isundefined(unused_bits)

assert "an assertion at top level is an invariant"
  supply = off -> (registers = shadow) = forall r: register do registers[r] = shadow[r] end

cover "the registers differ" registers[0] != registers[1]
cover "cold" heat = deepest
