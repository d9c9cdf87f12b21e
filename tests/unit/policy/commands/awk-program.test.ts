import { expect, test } from 'vitest';
import { onlyPrints } from '../../../../src-main/policy/commands/reading/awk-program.ts';

test.each([
  '{ print $1 }',
  'NR > 1 { sum += $2 } END { print sum }',
  'NR > 1 { sum[$2] += $4 } END { for (region in sum) print region, sum[region] }',
  '/^ERROR/ && !/retry/ { n++ } END { print n }',
  '$2 ~ /\\.ts$/ || $3 > 10 { printf "%s %d\\n", $1, ($2 > 3) }',
  'BEGIN { FS = "," } { print "a > b | c" }',
  'END { print total / NR }',
  'length($0) > 80',
])('%j only prints', (program) => {
  expect(onlyPrints(program)).toBe(true);
});

test.each([
  '{ print > "f" }',
  '{ print $1 >> "f" }',
  '{ print($1) > "f" }',
  '{ print | "sh" }',
  '{ print |& "sh" }',
  '{ "date" | getline }',
  '{ getline line < "/etc/passwd" }',
  'BEGIN { system("date") }',
  'BEGIN { ARGV[1] = "/etc/passwd"; ARGC = 2 } { print }',
  'BEGIN { SYMTAB["ARGC"] = 3 }',
  '@include "x"',
  'BEGIN { f = "system"; @f("date") }',
  '{ print /}/ > "f" }',
  '{ if (1) /}/; print > "f" }',
  '{ /"/; print > "f"; /"/ }',
  '{ /\\"/; print > "f" }',
  '{ print /)/ > "f" }',
  '{ print # }\n > "f"',
  '} { print > "f" ',
])('%j may do more', (program) => {
  expect(onlyPrints(program)).toBe(false);
});
