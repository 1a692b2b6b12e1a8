-- SYNTAX TEST "source.murphi" "every construct of the language"

const N: 0x1F; M: 12;
-- <----- storage.type.murphi
--       ^^^^ constant.numeric.murphi
--                ^^ constant.numeric.murphi
type
-- <---- storage.type.murphi
  t: scalarset(N); u: union { t, e }; e: enum { a, b };
--   ^^^^^^^^^ storage.type.murphi
--                    ^^^^^ storage.type.murphi
--                                       ^^^^ storage.type.murphi
  r: record x: boolean; end; s: array [t] of r; m: multiset [N] of r;
--   ^^^^^^ storage.type.murphi
--             ^^^^^^^ support.type.murphi
--                      ^^^ keyword.control.murphi
--                              ^^^^^ storage.type.murphi
--                                        ^^ storage.type.murphi
--                                                 ^^^^^^^^ storage.type.murphi
  real_number: real(4, 9);
--                     ^ constant.numeric.murphi
var x: -3..N;
-- <--- storage.type.murphi
--     ^ keyword.operator.murphi
--       ^^ keyword.operator.murphi
externfun f(a: t): t "f.h"; externproc p();
-- <--------- keyword.declaration.murphi
--                   ^^^^^ string.quoted.double.murphi
--                          ^^^^^^^^^^ keyword.declaration.murphi
function g(var a: t; b: t): boolean; begin return a = b; end;
-- <-------- keyword.declaration.murphi
--         ^^^ storage.type.murphi
--                                   ^^^^^ keyword.control.murphi
--                                         ^^^^^^ keyword.control.murphi
--                                                  ^ keyword.operator.murphi
procedure q(); begin end;
-- <--------- keyword.declaration.murphi
STARTSTATE "zero" clear x; undefine x; endstartstate;
-- <---------- keyword.declaration.murphi
--         ^^^^^^ string.quoted.double.murphi
--                ^^^^^ support.function.murphi
--                         ^^^^^^^^ support.function.murphi
--                                     ^^^^^^^^^^^^^ keyword.control.murphi
fair strong rule "go" x != 1 & !(x <= 2 | x >= 3) ==> begin
-- <---- keyword.declaration.murphi
--   ^^^^^^ keyword.declaration.murphi
--          ^^^^ keyword.declaration.murphi
--                      ^^ keyword.operator.murphi
--                           ^ keyword.operator.murphi
--                                 ^^ keyword.operator.murphi
--                                      ^ keyword.operator.murphi
--                                          ^^ keyword.operator.murphi
--                                                ^^^ keyword.operator.murphi
  x := x + 1 * 2 / 3 % 4; put "a \\ b"; error "no";
--  ^^ keyword.operator.murphi
--       ^ keyword.operator.murphi
--           ^ keyword.operator.murphi
--               ^ keyword.operator.murphi
--                   ^ keyword.operator.murphi
--                        ^^^ support.function.murphi
--                                      ^^^^^ support.function.murphi
  if x < 1 then elsif x > 2 then else endif;
--^^ keyword.control.murphi
--     ^ keyword.operator.murphi
--         ^^^^ keyword.control.murphi
--              ^^^^^ keyword.control.murphi
--                               ^^^^ keyword.control.murphi
--                                    ^^^^^ keyword.control.murphi
  switch x case 1: case 2: else endswitch;
--^^^^^^ keyword.control.murphi
--         ^^^^ keyword.control.murphi
--                              ^^^^^^^^^ keyword.control.murphi
  for i: t do endfor; for i := 0 to 9 by 2 do endfor; while true do endwhile;
--^^^ keyword.control.murphi
--         ^^ keyword.control.murphi
--                               ^^ keyword.control.murphi
--                                    ^^ keyword.control.murphi
--                                                    ^^^^^ keyword.control.murphi
--                                                          ^^^^ constant.language.murphi
  alias y: x do y := undefined; endalias; assert x = 0 "why"; cover x = 2;
--^^^^^ keyword.declaration.murphi
--                   ^^^^^^^^^ constant.language.murphi
--                              ^^^^^^^^ keyword.control.murphi
--                                        ^^^^^^ keyword.other.property.murphi
--                                                            ^^^^^ keyword.other.property.murphi
  multisetadd(r, m); multisetremove(i, m); multisetremovepred(i: m, false);
--^^^^^^^^^^^ support.function.murphi
--                   ^^^^^^^^^^^^^^ support.function.murphi
--                                         ^^^^^^^^^^^^^^^^^^ support.function.murphi
--                                                                  ^^^^^ constant.language.murphi
endrule;
-- <------- keyword.control.murphi
ruleset i: t; j: t do choose k: m do rule begin end; endchoose; endruleset;
-- <------- keyword.declaration.murphi
--                    ^^^^^^ keyword.declaration.murphi
--                                                   ^^^^^^^^^ keyword.control.murphi
--                                                              ^^^^^^^^^^ keyword.control.murphi
invariant "i" forall i: t do exists j: t do i = j -> isundefined(x) endexists endforall;
-- <--------- keyword.other.property.murphi
--            ^^^^^^ keyword.operator.word.murphi
--                           ^^^^^^ keyword.operator.word.murphi
--                                                ^^ keyword.operator.murphi
--                                                   ^^^^^^^^^^^ support.function.murphi
--                                                                  ^^^^^^^^^ keyword.control.murphi
--                                                                            ^^^^^^^^^ keyword.control.murphi
assume multisetcount(i: m, ismember(x, t)) > 0;
-- <------ keyword.other.property.murphi
--     ^^^^^^^^^^^^^ support.function.murphi
--                         ^^^^^^^^ support.function.murphi
reject x = 1; deadlock "d" true; liveness "l" x = 0;
-- <------ keyword.other.property.murphi
--            ^^^^^^^^ keyword.other.property.murphi
--                               ^^^^^^^^ keyword.other.property.murphi
ltl "p" always eventually x = 0 until y release z weakuntil next w leadsto fired;
-- <--- keyword.other.property.murphi
--      ^^^^^^ keyword.operator.word.murphi
--             ^^^^^^^^^^ keyword.operator.word.murphi
--                              ^^^^^ keyword.operator.word.murphi
--                                      ^^^^^^^ keyword.operator.word.murphi
--                                                ^^^^^^^^^ keyword.operator.word.murphi
--                                                          ^^^^ keyword.operator.word.murphi
--                                                                 ^^^^^^^ keyword.operator.word.murphi
--                                                                         ^^^^^ keyword.operator.word.murphi
ltl [] <> x ~> y; invariant x ≤ 1 ∧ ¬y ∨ x ≠ 2 ⇒ z;
--  ^^ keyword.operator.murphi
--     ^^ keyword.operator.murphi
--          ^^ keyword.operator.murphi
--                            ^ keyword.operator.murphi
--                                ^ keyword.operator.murphi
--                                  ^ keyword.operator.murphi
--                                     ^ keyword.operator.murphi
--                                         ^ keyword.operator.murphi
--                                             ^ keyword.operator.murphi
/* rule in a comment */ rule_of_thumb: ruleset_1;
-- ^^^^^^^ comment.block.murphi
