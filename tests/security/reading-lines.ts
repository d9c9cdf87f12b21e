import fc from 'fast-check';
import { NAME_COMMANDS } from '../../src-main/policy/commands/reading/name-commands.ts';
import type { ReadingCommand } from '../../src-main/policy/commands/reading/reading-command.ts';
import { TEXT_COMMANDS } from '../../src-main/policy/commands/reading/text-commands.ts';

/** Files of the folder in which the lines run. Some have names that are options, if something takes them for such. */
export const FILES: Readonly<Record<string, string>> = {
  'a.txt': 'one\ntwo\nthree\n',
  'b.json': '{"a": [1, 2, 3]}\n',
  '-o': 'named like an option\n',
  '--output=made': 'named like another\n',
  'dir/c.txt': 'four\n',
};

const PLACES = ['a.txt', 'b.json', 'dir', 'dir/c.txt', '.', '*', '*.txt', './-o', '-o', '--', '-', 'made', '/dev/null'];
const VALUES = [
  '1',
  '1',
  '1',
  '2',
  'x',
  'x',
  '%s',
  'made',
  'w made',
  '1~w made',
  '-1',
  ',',
  'a.txt',
  '+%s',
  '|touch made',
  '$(touch made)',
];
/** What writes, runs or fetches in some program. Whoever judges must know that it isn't among what reads. */
const HARMFUL = [
  '-o made',
  '-omade',
  '--output=made',
  '--output made',
  '-i',
  '--in-place',
  '-i.bak',
  '-exec touch made +',
  '-delete',
  '-fprint made',
  '-fls made',
  '-R',
  '-w made',
  '--compress-program=touch',
  '--files0-from=a.txt',
  '--pre=touch',
  '--ext-diff',
  '--textconv',
  '--set=2001-01-01',
  '-s 2001-01-01',
  '-x touch',
  '-C',
  '--to-command=touch',
  '-f a.txt',
  '--filter=touch',
];
const SCRIPTS: Readonly<Record<string, readonly string[]>> = {
  sed: [
    'p',
    '1,2p',
    's/o/0/',
    's/o/0/w made',
    'w made',
    '1e touch made',
    's/o/touch made/e',
    '1~2p',
    '/one/,/two/d',
    'i\\made',
    'r a.txt',
  ],
  awk: [
    '{ print }',
    '{ print > "made" }',
    'END { print NR }',
    '{ print | "touch made" }',
    '{ system("touch made") }',
    '$1 > 0',
    '{ print $1 >> "made" }',
    'BEGIN { printf "%d\\n", 1 }',
  ],
  jq: ['.', '.a', '.a[]', 'input', 'env', '[limit(3; .a[])]', 'input_filename', 'include "made"; .'],
  find: [
    '-name a.txt',
    '-type f',
    '-exec touch made {} +',
    '-execdir touch made \\;',
    '-ok touch made \\;',
    '-delete',
    '-fprint made',
    '-fprintf made %p',
    '-printf %p',
    '-newer a.txt',
    '-ls',
    '-fls made',
  ],
  git: [
    'status',
    'log',
    'log -p',
    'diff',
    'diff --output=made',
    'show HEAD',
    'log --output=made',
    'status --short',
    'log --follow -- a.txt',
    'diff --no-index a.txt b.json',
    'show HEAD:a.txt',
    'log --all',
    'stash',
    'gc',
    'branch made',
    'tag made',
    'diff --ext-diff',
  ],
};
const SPECIAL_FLAGS = [
  '-n',
  '-e',
  '-E',
  '-s',
  '-r',
  '-c',
  '-F,',
  '-v n=1',
  '-maxdepth 2',
  '--oneline',
  '--stat',
  '-z',
  '-u',
];

const quoted = (text: string) => (/^[\w./%+=:@,-]+$/.test(text) ? text : `'${text}'`);

/** The options of a row, as words to write: most with a value where one belongs. */
function optionsOf({ posix, gnu = '', long = '' }: ReadingCommand): fc.Arbitrary<string> {
  const short = [...`${posix}${gnu}`.matchAll(/([^:])(:{0,2})/g)].map(([, name = '', colons = '']) => ({
    name: `-${name}`,
    colons,
  }));
  const named = long.split(' ').flatMap((word) => {
    const [, name, mark = ''] = /^([\w-]+)([:?]?)$/.exec(word) ?? [];
    return name === undefined ? [] : [{ name: `--${name}`, colons: mark }];
  });
  const all = [...short, ...named];
  if (all.length === 0) return fc.constant('');
  return fc
    .tuple(fc.constantFrom(...all), fc.constantFrom(...VALUES), fc.constantFrom('', ' ', '='))
    .map(([{ name, colons }, value, between]) => (colons === '' ? name : `${name}${between}${quoted(value)}`));
}

const place = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom('a.txt', 'b.json', 'dir') },
  { weight: 1, arbitrary: fc.constantFrom(...PLACES) },
);
const seldomHarmful = fc.oneof(
  { weight: 5, arbitrary: fc.constant('') },
  { weight: 1, arbitrary: fc.constantFrom(...HARMFUL) },
);

/** A call of a row of the tables: its options in any order, sometimes one that the row doesn't have. */
const tableCall = fc
  .constantFrom(...Object.entries({ ...TEXT_COMMANDS, ...NAME_COMMANDS }))
  .chain(([name, row]) =>
    fc
      .tuple(
        fc.array(optionsOf(row), { maxLength: 3 }),
        seldomHarmful,
        fc.array(
          fc.oneof({ weight: 8, arbitrary: place }, { weight: 1, arbitrary: fc.constantFrom(...VALUES).map(quoted) }),
          { maxLength: 3 },
        ),
      )
      .map(([options, extra, operands]) =>
        [name, ...options, extra, ...operands].filter((word) => word !== '').join(' '),
      ),
  );

const specialCall = fc.constantFrom(...Object.entries(SCRIPTS)).chain(([name, scripts]) =>
  fc
    .tuple(
      fc.array(fc.constantFrom(...SPECIAL_FLAGS), { maxLength: 2 }),
      fc.constantFrom(...scripts),
      seldomHarmful,
      fc.array(place, { maxLength: 2 }),
    )
    .map(([flags, script, extra, files]) => {
      const told = extra === '' ? [] : [extra];
      if (name === 'find') return ['find', ...files, script, ...told].join(' ');
      if (name === 'git') return ['git', script, ...flags, ...told, ...files].join(' ');
      return [name, ...flags, quoted(script), ...told, ...files].join(' ');
    }),
);

const call = fc.oneof({ weight: 3, arbitrary: tableCall }, { weight: 2, arbitrary: specialCall });
const redirection = fc.oneof(
  { weight: 6, arbitrary: fc.constant('') },
  { weight: 1, arbitrary: fc.constantFrom(' 2>/dev/null', ' 2>&1', ' >/dev/null') },
  { weight: 1, arbitrary: fc.constantFrom(' > made', ' >> a.txt', ' 2> made', ' > /dev/null > made') },
);

/** Lines by the grammar of the reading tables: calls, pipes and lists of them. */
export const lineByTables = fc
  .array(fc.tuple(call, redirection, fc.constantFrom(' | ', ' && ', ' | ', ' && ', ' ; ', ' & ')), {
    minLength: 1,
    maxLength: 3,
  })
  .map((parts) => parts.map(([words, to, then], at) => `${words}${to}${at === parts.length - 1 ? '' : then}`).join(''));
