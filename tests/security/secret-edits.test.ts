/**
 * A call that nobody allowed must tell nothing of a file that holds secrets, and a yes to one call must open nothing
 * else.
 */
import { linkSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { flagConsent } from '../../src-main/headless/flag-consent.ts';
import { REDACTED } from '../../src-main/secrets/redaction.ts';
import { no, User, yesOnce } from '../fixtures/memory-ports.ts';
import { ToolHarness } from '../fixtures/tool-harness.ts';

let tools: ToolHarness;
afterEach(() => tools.dispose());

/** Contents that an answer could tell apart. */
const CONTENTS: readonly Buffer[] = [
  Buffer.from('API_KEY=hunter2\n'),
  Buffer.from('API_KEY=other\n'),
  Buffer.alloc(0),
  Buffer.from('\ufeffAPI_KEY=hunter2\n'),
  Buffer.from('\ufeffAPI_KEY=hunter2\n', 'utf16le'),
  Buffer.from('API_KEY=hunter2\r\nB=1\r\n'),
  Buffer.from(`API_KEY=${REDACTED}\n`),
  Buffer.from([0x41, 0x3d, 0xff, 0xfe, 0x00, 0x00, 0x80]),
  Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
  Buffer.from('A_KEY=\xe9t\xe9 caf\xe9 d\xe9j\xe0 vu\n', 'latin1'),
  Buffer.from('A=1\n'.repeat(50_000)),
  Buffer.from('\x1b$B%F%9%H\x1b(B', 'latin1'),
  Buffer.from('\x1b$B%F%9%H\x1b(B\xff', 'latin1'),
];
const NAMES = ['.env', 'credentials.json', 'deploy/.env.production', 'keys/id_ed25519'];

const texts = ['API_KEY', 'hunter2', 'h', 'nowhere', '\n', '\r\n', '\u00e9', '\u4e2d', 'A=1', REDACTED, '\ud800', '='];
const calls = (path: string): readonly (readonly [string, object])[] => [
  ...texts.flatMap((find) =>
    [REDACTED, 'x', '', '\u4e2d', `a${REDACTED}b`].map(
      (text) => ['edit', { file_path: path, old_string: find, new_string: text }] as const,
    ),
  ),
  ['edit', { file_path: path, old_string: '=', new_string: 'x'.repeat(10_000), replace_all: true }],
  ...['x', REDACTED, '\u4e2d', '\u00e9', '\x1b$B', '\ud800', ''].flatMap((content) => [
    ['append_file', { path, content }] as const,
    ['write_file', { file_path: path, content }] as const,
  ]),
  ['read_file', { file_path: path }],
  ['grep', { pattern: 'hunter2', path }],
];

/** All that a model learns of a call. */
async function told(name: string, input: object): Promise<string> {
  const { decision, result } = await tools.turn(name, input);
  return JSON.stringify([decision.answer, decision.by, decision.reason, result.text, result.isError, result.outcome]);
}

describe('nothing that a call answers by itself depends on what the file holds', () => {
  test.each(NAMES)('%s', async (path) => {
    tools = new ToolHarness({ consent: flagConsent('none') });
    const answers = new Map<string, Set<string>>();
    for (const content of CONTENTS) {
      const file = tools.put(path, content);
      for (const [name, input] of calls(path)) {
        const key = JSON.stringify([name, input]);
        answers.set(key, (answers.get(key) ?? new Set()).add(await told(name, input)));
      }
      expect(readFileSync(file).equals(content)).toBe(true);
    }
    for (const [call, different] of answers) expect([call, ...different]).toHaveLength(2);
  });

  test.each(NAMES)('%s, where a rule allows edits', async (path) => {
    tools = new ToolHarness({ consent: flagConsent('none'), remembers: true });
    const matcher = { kind: 'folder', class: 'write', path: tools.workspace } as const;
    tools.rules.add({ label: 'edit files', tool: null, matcher }, null);
    const answers = new Map<string, Set<string>>();
    for (const content of CONTENTS) {
      for (const [name, input] of calls(path)) {
        tools.put(path, content);
        const key = JSON.stringify([name, input]);
        answers.set(key, (answers.get(key) ?? new Set()).add(await told(name, input)));
      }
    }
    for (const [call, different] of answers) expect([call, ...different]).toHaveLength(2);
  });

  test('the control: of a file that holds none, they do', async () => {
    tools = new ToolHarness({ consent: flagConsent('none') });
    const input = { file_path: 'plain.txt', old_string: 'hunter2', new_string: 'x' };
    tools.put('plain.txt', 'API_KEY=hunter2\n');
    const there = await told('edit', input);
    tools.put('plain.txt', 'API_KEY=other\n');
    expect(await told('edit', input)).not.toBe(there);
  });

  test('generated: a guess is answered alike, right or wrong', async () => {
    tools = new ToolHarness({ consent: flagConsent('none') });
    const text = fc.string({
      unit: fc.constantFrom('a', 'b', '\n', '\r', '\u00e9', '[redacted]', '\0'),
      maxLength: 12,
    });
    await fc.assert(
      fc.asyncProperty(
        text,
        text,
        text.filter((find) => find !== ''),
        text,
        async (one, other, old_string, new_string) => {
          const answers: string[] = [];
          for (const content of [one, other]) {
            tools.put('.env', content);
            answers.push(await told('edit', { file_path: '.env', old_string, new_string }));
          }
          expect(answers[0]).toBe(answers[1]);
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe('one yes opens nothing else', () => {
  let user: User;
  beforeEach(() => {
    user = new User((_, asked) => (asked === 1 ? yesOnce : no));
    tools = new ToolHarness({ consent: user, remembers: true });
    for (const name of NAMES) tools.put(name, '{"key":"hunter2"}\n');
    tools.put('folder/plain.txt', 'text');
  });
  const changes = (path: string) =>
    [
      ['edit', { file_path: path, old_string: 'key', new_string: 'word' }],
      ['write_file', { file_path: path, content: '{}' }],
      ['append_file', { path, content: 'x' }],
      ['bash', { command: `cp ${path} copy.txt` }],
    ] as const;
  const rules = [false, true];
  const cases = NAMES.flatMap((path) =>
    changes(path).flatMap(([name, input]) => rules.map((rule) => [name, path, rule, input] as const)),
  );

  test.each(cases)('%s of %s once, with a rule for edits: %s', async (name, path, rule, input) => {
    if (rule) {
      const matcher = { kind: 'folder', class: 'write', path: tools.workspace } as const;
      tools.rules.add({ label: 'edit files', tool: null, matcher }, null);
    }
    await tools.turn(name, input);
    const asked = user.asked.length;
    if (asked === 0) return;
    const { decision, result } = await tools.turn('read_file', { file_path: path });
    expect(decision).toMatchObject({ answer: 'deny', by: 'user', reason: { code: 'declined' } });
    expect(result.text).not.toContain('hunter2');
    expect(user.asked).toHaveLength(asked + 1);
  });

  test.each(NAMES)(
    'the control: a yes to reading %s holds for the conversation, and for that file only',
    async (path) => {
      await tools.turn('read_file', { file_path: path });
      expect((await tools.turn('read_file', { file_path: path })).decision.answer).toBe('allow');
      const other = NAMES.find((name) => name !== path);
      expect((await tools.turn('read_file', { file_path: other })).decision.answer).toBe('deny');
    },
  );
});

/** An allowed edit replaces the file, so that its other names keep what it held. */
test.each(['.env', 'credentials.json', 'conf/.netrc'])(
  'another name of %s stays secret when it was edited',
  async (path) => {
    let answer: typeof no | typeof yesOnce = yesOnce;
    tools = new ToolHarness({ consent: new User(() => answer), remembers: true });
    tools.put(path, 'machine x login ada password hunter2\n');
    linkSync(join(tools.workspace, path), join(tools.workspace, 'notes.txt'));
    tools.put('plain.txt', 'hunter2\n');
    linkSync(join(tools.workspace, 'plain.txt'), join(tools.workspace, 'control.txt'));
    for (const file of [path, 'plain.txt'])
      await tools.turn('edit', { file_path: file, old_string: 'hunter2', new_string: 'hunter3' });
    answer = no;
    expect(readFileSync(join(tools.workspace, 'notes.txt'), 'utf8')).toContain('hunter2');
    for (const [tool, input] of [
      ['read_file', { path: 'notes.txt' }],
      ['bash', { command: 'cat notes.txt' }],
    ] as const)
      expect([tool, (await tools.turn(tool, input)).decision.answer]).toEqual([tool, 'deny']);
    expect((await tools.turn('read_file', { path: 'control.txt' })).decision.answer).toBe('allow');
  },
);
