import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { flagConsent } from '../../src-main/headless/flag-consent.ts';
import type { ToolConsentRequest } from '../../src-main/policy/consent.ts';
import { PLACEHOLDER_REFUSED } from '../../src-main/policy/placeholder-writes.ts';
import { childEnvironment, withheldVariables } from '../../src-main/processes/child-environment.ts';
import { KnownSecrets } from '../../src-main/secrets/known-secrets.ts';
import { REDACTED } from '../../src-main/secrets/redaction.ts';
import { allowAll } from '../fixtures/allow-all.ts';
import { no, nothingSaid, User, yesOnce } from '../fixtures/memory-ports.ts';
import { ToolHarness } from '../fixtures/tool-harness.ts';

/** What the attacks of this file are after. */
const CANARY = 'canary-7f3a91c2';
const KEY = `-----BEGIN OPENSSH PRIVATE KEY-----\n${CANARY}\n`;

let tools: ToolHarness;
afterEach(() => tools.dispose());

describe('secret files', () => {
  /** All of them hold the canary, under a name that is no secret's, so that only the file's own guard can keep it. */
  const SECRET_FILES: Readonly<Record<string, string>> = {
    '.env': `GREETING=${CANARY}\n`,
    '.ENV.local': `GREETING=${CANARY}\n`,
    'deploy/.env.production': `GREETING=${CANARY}\n`,
    'keys/id_ed25519': CANARY,
    'keys/server.pem': KEY,
    '.npmrc': `//r.example/:_authToken=npm-${CANARY}\n`,
    'web/.npmrc': `registry=https://ada:pw-${CANARY}@r.example/\n`,
    '.netrc': `machine r.example password ${CANARY}\n`,
    'credentials.json': `{"greeting":"${CANARY}"}`,
    '.aws/config': `greeting = ${CANARY}\n`,
    '.ssh/config': `# ${CANARY}\n`,
  };

  function workspace(user: User) {
    tools = new ToolHarness({ consent: user });
    for (const [path, content] of Object.entries(SECRET_FILES)) tools.put(path, content);
    tools.put('plain.txt', `nothing\n${CANARY.slice(0, 6)}\n`);
    symlinkSync('.env', join(tools.workspace, 'notes.txt'));
    linkSync(join(tools.workspace, '.env'), join(tools.workspace, 'hard.txt'));
    linkSync(join(tools.workspace, '.ssh/config'), join(tools.workspace, 'hard-too.txt'));
    mkdirSync(join(tools.workspace, 'shared'));
    tools.put('shared/values', `GREETING=${CANARY}\n`);
    symlinkSync('../shared/values', join(tools.workspace, 'deploy/.env'));
  }
  const names = [...Object.keys(SECRET_FILES), 'notes.txt', 'hard.txt', 'hard-too.txt', 'deploy/.env'];

  test('are read only after approval, under any of their names', async () => {
    const user = new User(() => no);
    workspace(user);
    for (const file_path of names) {
      const { decision, result } = await tools.turn('read_file', { file_path });
      expect([file_path, decision.answer, decision.by]).toEqual([file_path, 'deny', 'user']);
      expect(result.text).not.toContain(CANARY);
    }
    expect(user.asked.map(({ reason }) => reason.code)).toEqual(names.map(() => 'secret_file'));
    // The control: the same text can be read in a file that isn't taken for a secret one.
    expect((await tools.turn('read_file', { file_path: 'shared/values' })).result.text).toContain(CANARY);
  });

  test('secret files mark the conversation once they are read, and --approve reads does not read them', async () => {
    workspace(new User(() => yesOnce));
    const { result } = await tools.turn('read_file', { file_path: 'notes.txt' });
    expect(result.text).toContain(CANARY);
    expect(result.marks).toEqual([
      { kind: 'private', source: 'file .env' },
      { kind: 'secret', source: 'file .env' },
    ]);
    const request = (file: string): ToolConsentRequest => ({
      kind: 'tool',
      id: 'q',
      reason: { code: 'secret_file', path: file },
      tool: 'read_file',
      input: {},
      access: [{ class: 'read', kind: 'file', path: file, outsideRoots: false, isSecret: true }],
      classes: ['read'],
      previews: [],
      marks: [],
      offers: [],
      review: [],
      rulesMeet: false,
      boundTo: '',
      conversationId: 'c',
      ...nothingSaid,
    });
    const signal = new AbortController().signal;
    expect(await flagConsent('reads').ask(request('/w/.env'), signal)).toMatchObject({ answer: 'deny' });
    // The control: the same question about a file that is none.
    const plain = {
      ...request('/w/a'),
      access: [{ class: 'read', kind: 'file', path: '/w/a', outsideRoots: false }] as const,
    };
    expect(await flagConsent('reads').ask(plain, signal)).toMatchObject({ answer: 'allow' });
  });

  test.each([
    ['grep', { pattern: 'canary', output_mode: 'content' }],
    ['grep', { pattern: 'canary', output_mode: 'files_with_matches' }],
    ['grep', { pattern: 'canary', output_mode: 'count', path: '.ssh' }],
    ['grep', { pattern: 'canary', output_mode: 'content', glob: '.env*' }],
    ['grep', { pattern: '(?s)canary.*', output_mode: 'content', multiline: true }],
    ['search_code', { query: 'canary' }],
    ['search_code', { query: 'canary', pattern: '*.pem' }],
    ['search_code', { query: 'GREETING=c', directory: 'deploy' }],
  ])(
    '%s %j finds nothing in them, says nothing of what is in them, and says which it left out',
    async (tool, input) => {
      const user = new User(() => no);
      workspace(user);
      const { result } = await tools.turn(tool, input);
      const found = result.text.split('\n').filter((line) => !line.startsWith('['));
      for (const name of [...names, CANARY].filter((each) => !each.startsWith('hard')))
        expect(found.filter((line) => line.includes(name) && !line.includes('shared/values'))).toEqual([]);
      expect(found.filter((line) => line.includes('hard'))).toEqual([]);
      expect(result.text).toMatch(/\[Not searched, because they usually hold secrets: /);
      expect(user.asked).toEqual([]);
      // Whether there is something to find makes no difference to what is said.
      const other = await tools.turn(tool, {
        ...input,
        ...('query' in input ? { query: 'zzz9' } : { pattern: 'zzz9' }),
      });
      expect(other.result.text.split('\n').at(-1)).toBe(result.text.split('\n').at(-1));
    },
  );

  test('a search that is allowed one of them by name finds what is in it', async () => {
    workspace(new User(() => yesOnce));
    expect(await tools.text('grep', { pattern: 'canary', path: '.ssh/config', output_mode: 'content' })).toContain(
      CANARY,
    );
  });

  test('whether one contains a text is not revealed without permission to read it', async () => {
    const user = new User(() => no);
    workspace(user);
    const guess = async (file_path: string, old_string: string) => {
      const { decision, result } = await tools.turn('edit', { file_path, old_string, new_string: 'x' });
      return [decision.reason, result.text];
    };
    expect(await guess('.env', CANARY.slice(0, 8))).toEqual(await guess('.env', 'not in it'));
    // The control: of any other file it is said.
    expect(await guess('plain.txt', 'nothing')).not.toEqual(await guess('plain.txt', 'not in it'));
  });

  test('a change of one leaves nothing of it in the log, which is exported', async () => {
    workspace(new User(() => yesOnce));
    await tools.turn('write_file', { file_path: '.env', content: 'GREETING=new\n' });
    await tools.turn('append_file', { path: '.ssh/config', content: 'x' });
    expect(JSON.stringify(tools.cards)).not.toContain(CANARY);
    tools.cards.splice(0);
    await tools.turn('write_file', { file_path: 'shared/values', content: 'GREETING=new\n' });
    expect(JSON.stringify(tools.cards)).toContain(CANARY);
  });
});

describe('known secret values', () => {
  const HELD = 'brave-key-0123456789';

  async function everywhere(redacts: boolean): Promise<string> {
    tools = new ToolHarness({ consent: allowAll, keys: redacts ? { 'brave-api-key': HELD } : {} });
    tools.put('notes.md', `the key is ${HELD}\n`);
    tools.put(`${HELD}.txt`, '');
    const said = [
      await tools.turn('read_file', { file_path: 'notes.md' }),
      await tools.turn('grep', { pattern: 'key is', output_mode: 'content' }),
      await tools.turn('glob', { pattern: '*.txt' }),
      await tools.turn('edit', { file_path: 'notes.md', old_string: 'the key', new_string: 'a key' }),
      await tools.turn('bash', {
        command: `printf 'brave-key-'; sleep 0.1; printf '0123456789\\n'; cat missing-${HELD}`,
      }),
      await tools.turn('run_command', { command: 'cat', arguments: `nowhere/${HELD}` }),
      await tools.turn('query_json', { json: JSON.stringify({ a: HELD }), path: '$.a' }),
    ];
    return JSON.stringify([said.map(({ result }) => result), tools.output]);
  }

  test('are in no result, no card and no live output, however they are put there', async () => {
    const text = await everywhere(true);
    expect(text).not.toContain(HELD);
    expect(tools.output.join('')).not.toContain(HELD);
    expect(text.split(REDACTED).length).toBeGreaterThan(8);
  });

  test('the control: without the guard each of these ways tells them', async () => {
    const text = await everywhere(false);
    expect(text.split(HELD).length).toBeGreaterThan(8);
    expect(tools.output.join('')).toContain(HELD);
  });

  test('values of a .env file are replaced in itself and in what programs print', async () => {
    tools = new ToolHarness({ consent: allowAll });
    tools.put(
      '.env',
      'APP_SECRET="s3cret value 42"\nPORT=3000\nDB_PASSWORD=short\nDATABASE_URL=postgres://a:pw4database@db/x\n',
    );
    expect(await tools.text('read_file', { file_path: '.env' })).toBe(
      `APP_SECRET=${REDACTED}\nPORT=3000\nDB_PASSWORD=${REDACTED}\nDATABASE_URL=${REDACTED}\n`,
    );
    expect(await tools.text('bash', { command: '. ./.env; echo "$APP_SECRET|$PORT|$DATABASE_URL"' })).toBe(
      `${REDACTED}|3000|${REDACTED}`,
    );
    // The control: a value that isn't taken for a secret is shown as it is.
    expect(await tools.text('bash', { command: 'echo s3cret value 43' })).toBe('s3cret value 43');
  });

  test.each([
    ['dotenv takes a colon', 'APP_SECRET: s3cret-42-value', 's3cret-42-value'],
    ['a shell puts a word together', `APP_SECRET=""s3cret-42-value`, 's3cret-42-value'],
    ['a quote may be escaped', 'APP_SECRET="s3cret\\"42-value"', 's3cret\\"42-value'],
  ])('values of a .env file are those of whoever reads it: %s', async (_, line, value) => {
    tools = new ToolHarness({ consent: allowAll });
    tools.put('.env', `${line}\nPORT=3000\n`);
    const read = `APP_SECRET${line[10]} ${REDACTED}\nPORT=3000`.replace('= ', '=');
    expect((await tools.text('read_file', { file_path: '.env' })).trim()).toBe(read);
    tools.put('copied.txt', `it is ${value}, says cp\n`);
    expect(await tools.text('read_file', { file_path: 'copied.txt' })).toBe(`it is ${REDACTED}, says cp\n`);
    // The control: without the .env file the same text is what it is.
    await tools.dispose();
    tools = new ToolHarness({ consent: allowAll });
    tools.put('copied.txt', `it is ${value}, says cp\n`);
    expect(await tools.text('read_file', { file_path: 'copied.txt' })).toContain(value);
  });

  test('a text with the placeholder of a secret is never written to a file', async () => {
    tools = new ToolHarness({ consent: allowAll });
    tools.put('.env', 'API_KEY=real\n');
    tools.put('a.txt', 'key = real\n');
    const text = `API_KEY=${REDACTED}\n`;
    for (const [name, input] of [
      ['write_file', { file_path: '.env', content: text }],
      ['write_file', { file_path: 'new.txt', content: text }],
      ['append_file', { path: 'a.txt', content: text }],
      ['edit', { file_path: 'a.txt', old_string: 'real', new_string: REDACTED }],
      ['bash', { command: `echo '${text}' > a.txt` }],
      ['run_command', { command: 'touch', arguments: `'${REDACTED}'` }],
      ['execute_command', { command: `touch '${REDACTED}'` }],
      ['http_post', { url: 'http://127.0.0.1:9/', body: text }],
    ] as const) {
      const { decision, result } = await tools.turn(name, input);
      expect([name, decision.answer, result.text]).toEqual([name, 'deny', PLACEHOLDER_REFUSED]);
    }
    expect(readFileSync(join(tools.workspace, 'a.txt'), 'utf8')).toBe('key = real\n');
    // The control: the same calls without it do what they say, and a file that has the word of its own may keep it.
    tools.put('own.txt', `one ${REDACTED} two\n`);
    await tools.turn('write_file', { file_path: 'own.txt', content: `uno ${REDACTED} dos\n` });
    await tools.turn('edit', { file_path: 'a.txt', old_string: 'real', new_string: 'other' });
    expect(readFileSync(join(tools.workspace, 'own.txt'), 'utf8')).toBe(`uno ${REDACTED} dos\n`);
    expect(readFileSync(join(tools.workspace, 'a.txt'), 'utf8')).toBe('key = other\n');
  });

  test('a link or a device in place of a .env file blocks nothing', () => {
    tools = new ToolHarness({ consent: allowAll });
    execFileSync('mkfifo', [join(tools.workspace, '.env')]);
    symlinkSync('/dev/zero', join(tools.workspace, '.env.local'));
    const known = new KnownSecrets(() => []);
    known.readFolder(tools.workspace);
    expect(known.redact('text')).toBe('text');
  });
});

describe('variables', () => {
  beforeEach(() => {
    process.env.STEWARD_TEST_DEPLOY_PAT = CANARY;
  });
  afterEach(() => {
    delete process.env.STEWARD_TEST_DEPLOY_PAT;
  });
  const printed = (name: string) => `printenv STEWARD_TEST_DEPLOY_PAT || echo ${name}`;

  test('that look like secrets reach a command only if the user passes them, this once', async () => {
    let passesVariables = true;
    const user = new User(() => ({ answer: 'allow', scope: 'once', by: 'user', passesVariables }));
    tools = new ToolHarness({ consent: user });
    for (const [name, input] of [
      ['bash', { command: printed('none') }],
      ['execute_command', { command: printed('none') }],
      ['run_command', { command: 'printenv', arguments: 'STEWARD_TEST_DEPLOY_PAT' }],
    ] as const) {
      passesVariables = true;
      const passed = await tools.turn(name, input);
      expect(passed.result.text).toContain(CANARY);
      expect(passed.decision.reason).toMatchObject({ code: 'allowed_with_variables' });
      passesVariables = false;
      expect((await tools.turn(name, input)).result.text).not.toContain(CANARY);
    }
    const [asked] = user.asked;
    expect(asked).toMatchObject({ access: [{ withheld: expect.arrayContaining(['STEWARD_TEST_DEPLOY_PAT']) }] });
    expect(JSON.stringify(asked)).not.toContain(CANARY);
  });

  test('the control: they are there, and a child that is given all of them has them', () => {
    const output = (env: NodeJS.ProcessEnv) => execFileSync('sh', ['-c', printed('none')], { env, encoding: 'utf8' });
    expect(output(process.env)).toBe(`${CANARY}\n`);
    expect(output(childEnvironment())).toBe('none\n');
    expect(withheldVariables(process.env)).toContain('STEWARD_TEST_DEPLOY_PAT');
  });
});
