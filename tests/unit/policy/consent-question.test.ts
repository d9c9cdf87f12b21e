import { describe, expect, test } from 'vitest';
import { signInProblemText } from '../../../src-main/accounts/sign-in-problem.ts';
import type {
  ConsentRequest,
  GrantConsentRequest,
  ToolConsentRequest,
  UndoConsentRequest,
} from '../../../src-main/policy/consent.ts';
import { DiffPreview } from '../../../src-main/policy/diff-preview.ts';
import type { PermissionGrant } from '../../../src-main/policy/permission-grant.ts';
import { NO_CALL } from '../../../src-main/policy/question/consent-question.ts';
import { answerTo } from '../../../src-main/policy/question/given-answer.ts';
import { questionOf } from '../../../src-main/policy/question/question-of.ts';
import { partTitle } from '../../../src-main/policy/question/question-parts.ts';
import type { RuleDraft } from '../../../src-main/policy/rules.ts';
import { accountGrant } from '../../../src-main/services/sign-in-grants.ts';
import type { TemplateId } from '../../../src-preload/contract/servers.ts';
import { nothingSaid, privateMark, untrusted } from '../../fixtures/memory-ports.ts';

const rule: RuleDraft = {
  label: 'edit files in /w',
  tool: null,
  matcher: { kind: 'folder', class: 'write', path: '/w' },
};
const other: RuleDraft = { ...rule, label: 'edit files in /' };
const change = new DiffPreview({ path: '/w/a\u202e.md', before: 'a', after: 'b' });
const call: ToolConsentRequest = {
  kind: 'tool',
  id: 'q',
  reason: { code: 'write' },
  tool: 'write_file',
  boundTo: 'hash',
  conversationId: 'c',
  input: { path: 'a.md', n: 3 },
  classes: ['write'],
  marks: [],
  offers: [rule, other],
  rulesMeet: false,
  review: [],
  ...nothingSaid,
  access: [{ class: 'write', kind: 'file', path: '/w/a\u202e.md', outsideRoots: false }],
  previews: [change],
};
// biome-ignore lint/suspicious/noTemplateCurlyInString: this is how config.json names a keychain entry
const KEYCHAIN_TOKEN = '${keychain:TOKEN}';
const asked = {
  kind: 'grant',
  id: 'q',
  key: 'mcpServers.files',
  reason: { code: 'permission_grant', key: 'mcpServers.files', subject: 'mcp-server', state: 'new' },
} as const;
const grant = {
  ...asked,
  subject: 'mcp-server',
  value: { command: 'npx' },
} as const satisfies GrantConsentRequest;
const undo: UndoConsentRequest = {
  kind: 'undo',
  id: 'q',
  reason: { code: 'undo', tools: ['edit'] },
  subject: 'turn',
  boundTo: 'hash',
  conversationId: 'c',
  previews: [change],
  refused: [{ path: 'bash', reason: { code: 'not_by_undo' } }],
};

describe('the question about a call', () => {
  test('shows the effects, the change and every argument; untrusted text stays unchanged', () => {
    expect(questionOf(call)).toEqual({
      id: 'q',
      kind: 'tool',
      title: 'Change “a\u202e.md”?',
      reason: { code: 'write' },
      tool: 'write_file',
      conversationId: 'c',
      parts: [
        change,
        {
          kind: 'arguments',
          values: [
            { name: 'path', text: 'a.md' },
            { name: 'n', text: '3' },
          ],
          derived: [],
        },
      ],
      offers: [
        { rule, words: 'Changing files in “w”', keepFor: ['conversation', 'always'] },
        { rule: other, words: 'Changing files in “w”', keepFor: ['conversation', 'always'] },
      ],
      risk: 'plain',
      noRule: null,
      calls: [],
      mayPassVariables: false,
      takesWord: true,
      reviews: 0,
    });
  });

  test('reading from a web address is labelled as such: only then does approval cover an address, and a rule its host', () => {
    const to = {
      kind: 'request',
      class: 'network',
      url: 'https://a.example/b',
      host: 'a.example',
      method: 'GET',
    } as const;
    const read = { ...call, access: [to], classes: ['network'], previews: [] } as const;
    expect(questionOf(read).isAddress).toBe(true);
    for (const other of [
      { access: [{ ...to, service: 'search' }] },
      { access: [to, ...call.access] },
      { classes: ['send'] },
      { classes: ['network-private'] },
      { access: [] },
    ] as const)
      expect(questionOf({ ...read, ...other }).isAddress, JSON.stringify(other)).toBeUndefined();
  });

  test('arguments that can be read in the address fold; encoded, changed or unnamed ones stay', () => {
    const url = 'https://a.example/s?q=heat+pump%20noise&place=Gr%C3%A4z&count=8';
    const to = { kind: 'request', class: 'network', url, host: 'a.example', method: 'GET' } as const;
    const input = { query: 'heat pump noise', place: 'Gräz', count: 8, limit: 8, sort: 'newest' };
    const { parts } = questionOf({ ...call, access: [to], classes: ['network'], previews: [], input });
    expect(parts).toContainEqual({
      kind: 'arguments',
      values: [
        { name: 'place', text: 'Gräz' },
        { name: 'limit', text: '8' },
        { name: 'sort', text: 'newest' },
      ],
      derived: [
        { name: 'query', text: 'heat pump noise' },
        { name: 'count', text: '8' },
      ],
    });
  });

  test('each command is a separate part, with its folder', () => {
    const { parts } = questionOf({
      ...call,
      access: [
        { kind: 'command', class: 'execute', command: { kind: 'shell', line: 'ls | wc' }, directory: '/w' },
        { kind: 'clipboard', class: 'write' },
        { kind: 'command', class: 'execute', command: { kind: 'argv', argv: ['echo', 'a b'] }, directory: '/w/b' },
      ],
      previews: [],
      input: {},
    });
    expect(parts).toEqual([
      { kind: 'touches', accesses: [{ kind: 'clipboard', class: 'write' }] },
      { kind: 'command', line: 'ls | wc', steps: [{ text: 'ls | wc', isGrave: false }], directory: '/w' },
      {
        kind: 'command',
        line: 'echo "a b"',
        directory: '/w/b',
        steps: [{ text: 'echo "a b"', isGrave: false }],
      },
      { kind: 'arguments', values: [], derived: [] },
    ]);
  });

  test('the sources that were read follow what would happen, without duplicates', () => {
    const outside = { kind: 'untrusted', source: privateMark.source } as const;
    const { parts } = questionOf({ ...call, marks: [untrusted, privateMark, untrusted, outside] });
    const at = parts.findIndex(({ kind }) => kind === 'read');
    expect(parts[at]).toEqual({ kind: 'read', marks: [untrusted, privateMark, outside] });
    expect(parts.findIndex(({ kind }) => kind === 'diff')).toBeLessThan(at);
  });

  test('a grant to work freely is offered for a week too, and says what it allows and what it doesn’t', () => {
    const freely: RuleDraft = {
      label: 'work freely in /w/project',
      tool: null,
      matcher: { kind: 'work-freely', path: '/w/project' },
    };
    const { offers } = questionOf({ ...call, offers: [rule, freely] });
    expect(offers).toMatchObject([
      { keepFor: ['conversation', 'always'] },
      { words: 'Working freely in “project”', keepFor: ['conversation', 'week', 'always'] },
    ]);
    expect(offers.map(({ explanation }) => explanation?.length)).toEqual([undefined, 2]);
    const outside = questionOf({ ...call, offers: [freely], conversationId: null });
    expect(outside.offers.map(({ keepFor }) => keepFor)).toEqual([['week', 'always']]);
  });

  test('outside any conversation no rule can be kept for one', () => {
    const { offers } = questionOf({ ...call, conversationId: null });
    expect(offers.map(({ keepFor }) => keepFor)).toEqual([['always'], ['always']]);
  });
});

describe('the question about a permission grant', () => {
  test('says what would take effect and what does now, and takes yes or no', () => {
    expect(questionOf({ ...grant, previous: { command: 'old' } })).toEqual({
      id: 'q',
      kind: 'grant',
      title: 'Start this program on your computer?',
      reason: grant.reason,
      tool: null,
      conversationId: null,
      parts: [
        expect.objectContaining({ kind: 'consequences', consequences: [{ code: 'runs_program' }] }),
        { kind: 'value', title: 'Program', text: 'Program: npx', standing: 'Program: old' },
        { kind: 'note', title: 'What happens then', text: expect.stringContaining('you review what it offers') },
        // The setting's name in config.json is folded.
        { kind: 'arguments', values: [], derived: [{ name: 'Setting', text: 'mcpServers.files' }] },
      ],
      offers: [],
      mayPassVariables: false,
      takesWord: false,
      reviews: 0,
      ...NO_CALL,
      risk: 'grave',
    });
    expect(questionOf(grant).parts[1]).toMatchObject({ kind: 'value', standing: null });
  });

  const url = 'https://mcp.example.org/mcp';
  const program = { transport: 'stdio', command: 'npx' } as const;
  test.each([
    ['mcp-server', program, 'Start this program on your computer?', /^Next, you review/],
    ['mcp-test', program, 'Start this program once, to test it?', /stopped afterwards/],
    ['mcp-server', { transport: 'http', url }, 'Connect to this server?', /receives what the assistant puts in a call/],
    ['mcp-test', { transport: 'sse', url }, 'Connect to this server once, to test it?', /gets nothing from it/],
    // An address beside a command doesn't make it less of a program.
    ['mcp-server', { ...program, url }, 'Start this program on your computer?', /^Next, you review/],
  ] as const)('%s of %j: %s', (subject, value, title, may) => {
    const question = questionOf({ ...grant, subject, value });
    expect(question.title).toBe(title);
    expect(question.parts).toContainEqual(expect.objectContaining({ kind: 'note', text: expect.stringMatching(may) }));
    const shown = question.parts.find(({ kind }) => kind === 'value');
    const isMixed = 'command' in value && 'url' in value;
    const text = shown !== undefined && 'text' in shown ? shown.text : '';
    expect(text.includes('Transport')).toBe(isMixed || value.transport === 'sse');
  });

  test('shows every value of a server on a line of its own, and no value can pass for another', () => {
    const value = {
      transport: 'stdio' as const,
      command: 'npx',
      args: ['-y', 'two words', 'x\nProgram: harmless', ' padded', ''],
      env: { MODE: 'quiet\nAddress: https://good.example' },
    };
    const [, part] = questionOf({
      ...grant,
      value,
      secrets: [{ name: 'TOKEN', end: 'abcd', keptIn: 'keychain' }],
    }).parts;
    expect(part).toMatchObject({
      text: [
        'Program: npx',
        'Arguments:',
        '  1. -y',
        '  2. two words',
        '  3. "x\\nProgram: harmless"',
        '  4. " padded"',
        '  5. ""',
        'Environment:',
        '  MODE = "quiet\\nAddress: https://good.example"',
      ].join('\n'),
    });
  });

  test('a sign-in is shown line by line, and no value passes for another line', () => {
    const value = {
      server: 'https://a.example/mcp',
      signInAt: ['https://b.example'],
      scopes: ['notes:read', 'x\nServer: https://safe.example'],
      moreScopes: ['notes:read'],
    };
    const [shown] = questionOf({ ...asked, subject: 'mcp-sign-in', value }).parts;
    const text = shown !== undefined && 'text' in shown ? shown.text : '';
    for (const each of ['https://a.example/mcp', 'https://b.example', 'notes:read']) expect(text).toContain(each);
    expect(text.split('\n').filter((line) => line.includes('safe.example'))).toEqual([
      `  2. ${JSON.stringify('x\nServer: https://safe.example')}`,
    ]);
    expect(text.split('\n')).toHaveLength(8);
  });

  test('of an account says what for, where, what Steward may then do, and how long it lasts', () => {
    const needed = { tool: 'gmail_search', signInAt: 'https://accounts.google.com', keptIn: 'memory' } as const;
    const ended = { code: 'sign_in_ended', account: 'gmail', why: 'testing' } as const;
    const { subject, value } = accountGrant('gmail', { ...needed, ended });
    const { title, parts } = questionOf({ ...asked, subject, value });
    expect(title).toBe('Connect Gmail?');
    expect(parts).toEqual([
      { kind: 'text', title: 'Why again', text: signInProblemText(ended) },
      { kind: 'text', title: 'Needed for', text: 'gmail_search' },
      { kind: 'text', title: 'Steward may then', text: 'Read your mail\nSend mail as you' },
      { kind: 'text', title: 'You sign in at', text: 'https://accounts.google.com' },
      { kind: 'text', title: 'How long it lasts', text: expect.stringContaining('no keychain') },
    ]);
    const lasting = accountGrant('gmail', { ...needed, ended: undefined, keptIn: 'keychain' });
    expect(JSON.stringify(questionOf({ ...asked, subject, value: lasting.value }).parts)).toContain('seven days');
  });

  const provider = { type: 'openai', baseUrl: 'https://models.example/v1' } as const;
  test.each<[Pick<PermissionGrant, 'subject' | 'value'>, string]>([
    [{ subject: 'workspace', value: '/w' }, 'Work in this folder?'],
    [{ subject: 'folder', value: '/w' }, 'Grant this folder?'],
    [{ subject: 'endpoint', value: url }, 'Send requests to this address instead?'],
    [{ subject: 'provider', value: provider }, 'Use this model provider?'],
    [{ subject: 'provider-test', value: provider }, 'Connect to this model provider once?'],
    [{ subject: 'mcp-classes', value: { search: 'read' } }, 'Treat these tools like this?'],
    [{ subject: 'mcp-text', value: 'own' }, 'Treat the text of this server like this?'],
    [{ subject: 'mcp-sign-in-address', value: url }, 'Contact this address to sign in?'],
    [{ subject: 'mcp-roots', value: url }, 'Tell this server which folders you use?'],
    [{ subject: 'tool', value: 'Runs commands' }, 'Switch this tool on?'],
    [{ subject: 'google-client', value: 'ends in abcd' }, 'Sign in to Google as this app?'],
    [{ subject: 'key', value: 'ends in abcd' }, 'Use this key?'],
  ])('%j: %s', (granted, title) => {
    expect(questionOf({ ...asked, ...granted } as GrantConsentRequest).title).toBe(title);
  });

  test('shows each file of a skill in full', () => {
    const files = [{ path: 'SKILL.md', bytes: 1234, text: 'Do this.' }];
    const value = [{ name: 'deploy', description: 'Deploys', files }];
    expect(questionOf({ ...asked, subject: 'skills', value }).parts).toEqual([
      { kind: 'value', title: 'Skills', text: 'deploy: Deploys', standing: null },
      { kind: 'text', title: 'deploy: SKILL.md (1,234 bytes)', text: 'Do this.' },
      expect.objectContaining({ kind: 'arguments' }),
    ]);
  });

  test('of a new version names the file, and the version that it replaces', () => {
    const value = {
      version: '2.0.0',
      file: 'steward.zip',
      bytes: 1234,
      sha512: 'abc',
      hosts: ['a.example', 'b.example'],
    };
    expect(questionOf({ ...asked, subject: 'update', value, previous: { version: '1.0.0' } }).parts).toEqual([
      {
        kind: 'text',
        title: 'New version',
        text: 'Version 2.0.0\nFile: steward.zip, 1,234 bytes\nFrom: a.example, b.example\nSHA-512: abc',
      },
      { kind: 'text', title: 'Replaces', text: 'Version 1.0.0' },
    ]);
  });
});

test('the question about an undo says what goes back and what stays', () => {
  expect(questionOf(undo)).toEqual({
    id: 'q',
    kind: 'undo',
    title: 'Undo this turn?',
    reason: undo.reason,
    tool: null,
    conversationId: 'c',
    parts: [change, { kind: 'stays', refused: undo.refused }],
    offers: [],
    mayPassVariables: false,
    takesWord: false,
    reviews: 0,
    ...NO_CALL,
  });
  expect(questionOf({ ...undo, subject: 'call', refused: [] })).toMatchObject({
    title: 'Undo this change?',
    parts: [{ kind: 'diff' }],
  });
});

test('over each part stands the same title on every surface', () => {
  const command = {
    kind: 'command',
    class: 'execute',
    command: { kind: 'shell', line: 'ls' },
    directory: '/w',
  } as const;
  const touched = { ...call, marks: [untrusted], access: [...call.access, command], previews: [] };
  const said = { consequences: [{ code: 'deletes_files' }], said: 'I tidy up.' } as const;
  const requests: ConsentRequest[] = [{ ...touched, ...said }, call, grant, undo];
  const titles = requests.flatMap((request) => questionOf(request).parts).map((part) => [part.kind, partTitle(part)]);
  expect(Object.fromEntries(titles)).toEqual({
    consequences: 'What this does',
    read: 'Read in this conversation',
    touches: 'Affects',
    command: 'Command',
    diff: 'Change to the file',
    said: 'The assistant says',
    arguments: 'Full details',
    value: 'Program',
    note: 'What happens then',
    stays: 'Not undone',
  });
  expect(partTitle({ kind: 'text', title: 'Headers', text: '' })).toBe('Headers');
});

describe('an answer', () => {
  const question = questionOf(call);

  test('allows once, keeps an offered rule, or denies, with a word if there is one', () => {
    expect(answerTo(question, { answer: 'once' })).toEqual({ answer: 'allow', scope: 'once', by: 'user' });
    for (const scope of ['conversation', 'always'] as const)
      expect(answerTo(question, { answer: scope, offer: 1 })).toEqual({
        answer: 'allow',
        by: 'user',
        scope,
        rule: other,
      });
    expect(answerTo(question, { answer: 'deny', word: 'not this' })).toEqual({
      answer: 'deny',
      by: 'user',
      word: 'not this',
    });
    expect(answerTo(question, { answer: 'deny', word: ' ' })).toEqual({ answer: 'deny', by: 'user' });
  });

  test('that keeps a rule that was not offered is invalid', () => {
    for (const offer of [-1, 2, 0.5]) expect(answerTo(question, { answer: 'always', offer })).toBeUndefined();
    const alone = questionOf({ ...call, conversationId: null });
    expect(answerTo(alone, { answer: 'conversation', offer: 0 })).toBeUndefined();
    for (const request of [grant, undo])
      expect(answerTo(questionOf(request), { answer: 'always', offer: 0 })).toBeUndefined();
  });

  test('denies without feedback if no one would receive it', () => {
    expect(answerTo(questionOf(grant), { answer: 'deny', word: 'no' })).toEqual({ answer: 'deny', by: 'user' });
  });
});

describe('the question about a changed server', () => {
  const value = { transport: 'stdio' as const, command: 'npx', args: ['mail'], env: { TOKEN: KEYCHAIN_TOKEN } };
  const held = (ends: boolean) =>
    questionOf({
      ...grant,
      value,
      held: {
        ends,
        permissions: [
          { kind: 'class', class: 'read', tools: ['a', 'b', 'c', 'd', 'e', 'f', 'g'] },
          { kind: 'class', class: 'write', tools: ['w\nx'] },
          { kind: 'text', text: 'own' },
          { kind: 'rules', labels: ['use a of mail'] },
          { kind: 'reviewed', definitions: 9 },
        ],
      },
    }).parts;

  test('the card about a changed server first lists what ends, line by line, and the keys it would get', () => {
    const [, first, second, third] = held(true);
    const lines = first?.kind === 'text' ? first.text.split('\n') : [];
    expect(lines).toHaveLength(6);
    for (const [index, part] of ['7 tools', '"w\\nx"', 'only yours', 'use a of mail', 'reviewed'].entries())
      expect(lines[index + 1]).toContain(part);
    expect(second).toMatchObject({ kind: 'text', text: 'TOKEN' });
    expect(third).toMatchObject({ kind: 'value' });
  });

  test('one line says what stays', () => {
    const [, first] = held(false);
    expect(first?.kind === 'text' ? first.text.split('\n') : []).toHaveLength(1);
  });

  test('says nothing where nothing was allowed', () => {
    const kinds = questionOf({ ...grant, value }).parts.map(({ kind }) => kind);
    expect(kinds).toEqual(['consequences', 'value', 'note', 'arguments']);
  });
});

describe('a grant that lets more act than before is grave, and says first why', () => {
  const stdio = { transport: 'stdio' as const, command: 'npx', args: ['mail'] };
  const remote = { transport: 'http', url: 'https://mcp.example' } as const;
  test.each<[GrantConsentRequest, string]>([
    [{ ...asked, subject: 'mcp-server', value: stdio }, 'runs_program'],
    [{ ...asked, subject: 'mcp-test', value: stdio }, 'runs_program'],
    [{ ...asked, subject: 'folder', value: '/srv/photos' }, 'opens_folder'],
    [{ ...asked, subject: 'client-socket', value: true }, 'lets_programs_in'],
  ])('%j: %s', (request, code) => {
    const { risk, parts } = questionOf(request);
    expect(risk).toBe('grave');
    expect(parts[0]).toMatchObject({ kind: 'consequences', consequences: [{ code }] });
  });

  test.each<GrantConsentRequest>([
    { ...asked, subject: 'mcp-server', value: remote },
    { ...asked, subject: 'key', value: 'ends in abcd' },
  ])('values of other kinds are not marked: %j', (request) => {
    const { risk, parts } = questionOf(request);
    expect(risk).toBe('plain');
    expect(parts[0]?.kind).not.toBe('consequences');
  });
});

describe('a server that a template made', () => {
  const value = {
    transport: 'stdio' as const,
    command: 'uv',
    args: ['--directory', '/home/ada/whatsapp-mcp-server', 'run', 'main.py'],
  };
  const named = (template?: TemplateId) =>
    questionOf({
      ...asked,
      subject: 'mcp-server',
      value,
      ...(template === undefined ? {} : { template }),
    }).parts.flatMap((part) => (part.kind === 'text' ? part.text : []));

  test('is named on the card, with what its classes allow', () => {
    expect(named('whatsapp')).toEqual([expect.stringContaining('WhatsApp: reading chats runs without asking')]);
  });

  test('is not named by what its entry looks like', () => {
    expect(named()).toEqual([]);
  });
});

test.each([
  [0.004, 'grave'],
  [null, 'grave'],
  [0, 'plain'],
] as const)('a server that asks the model for $%s: %s', (most, risk) => {
  const question = questionOf({
    kind: 'sampling',
    id: 'q',
    server: 'notes',
    model: 'm',
    system: '',
    messages: [],
    tools: [],
    preferences: '',
    stopSequences: [],
    wantsContext: false,
    conversations: 1,
    conversationId: 'one',
    cost: { inputTokens: 10, mostOutputTokens: 100, most },
    reason: { code: 'server_sampling', server: 'notes' },
  });
  expect(question.risk).toBe(risk);
  expect(question.parts.some(({ kind }) => kind === 'consequences')).toBe(risk === 'grave');
});
