import { expect, test } from 'vitest';
import type { CallEffects } from '../../../src-main/policy/access.ts';
import type { ConsentAnswer, ToolConsentRequest } from '../../../src-main/policy/consent.ts';
import { DiffPreview } from '../../../src-main/policy/diff-preview.ts';
import { QuestionQueues } from '../../../src-main/policy/question-queues.ts';
import {
  FakeLinks,
  gateCall,
  gateWith,
  never,
  no,
  privateMark,
  program,
  readOf,
  request,
  User,
  untrusted,
  writeTo,
  yesOnce,
} from '../../fixtures/memory-ports.ts';

const asTool = (user: User, index = 0): ToolConsentRequest => {
  const asked = user.asked[index];
  if (asked?.kind !== 'tool') throw new Error(`Question ${index} was not asked`);
  return asked;
};
const keepFirst = (scope: 'conversation' | 'always') => (asked: { kind: string }) => {
  const { offers } = asked as ToolConsentRequest;
  const [rule] = offers;
  if (rule === undefined) throw new Error('Nothing is offered');
  return { answer: 'allow', scope, rule, by: 'user' } as const;
};
const held = (): { answer: Promise<ConsentAnswer>; give: (answer: ConsentAnswer) => void } => {
  let give: (answer: ConsentAnswer) => void = () => undefined;
  const answer = new Promise<ConsentAnswer>((resolve) => {
    give = resolve;
  });
  return { answer, give };
};

test('calls allowed by default run without a question', async () => {
  const user = new User(() => no);
  const { gate } = gateWith(user);
  expect(await gate.authorize(gateCall(readOf('/w/a')), never)).toMatchObject({ answer: 'allow', by: 'default' });
  expect(user.asked).toEqual([]);
});

test('a question carries the whole input, what would be touched, and the offers', async () => {
  const user = new User(() => yesOnce);
  const { gate } = gateWith(user);
  const effects: CallEffects = {
    ...writeTo('/w/n/a'),
    previews: [new DiffPreview({ path: '/w/n/a', before: null, after: 'x' })],
  };
  const input = { file_path: 'n/a', content: 'x'.repeat(100_000) };
  expect(await gate.authorize(gateCall(effects, { tool: 'write_file', input }), never)).toMatchObject({
    answer: 'allow',
    by: 'user',
  });
  expect(asTool(user)).toMatchObject({
    tool: 'write_file',
    input,
    access: effects.access,
    classes: ['write'],
    previews: effects.previews,
    marks: [],
  });
  expect(asTool(user).offers).toHaveLength(2);
});

test('a denied call gets the exact text, with feedback if there is any', async () => {
  const refused = async (answer: ConsentAnswer) =>
    gateWith(new User(() => answer)).gate.authorize(gateCall(writeTo('/w/a'), { tool: 'bash' }), never);
  expect(await refused(no)).toMatchObject({
    answer: 'deny',
    by: 'user',
    text: 'Error: The user declined to run bash.',
  });
  expect(await refused({ answer: 'deny', by: 'user', word: ' use b.txt ' })).toMatchObject({
    text: 'Error: The user declined to run bash. The user says: use b.txt',
    said: 'use b.txt',
  });
  const reason = { code: 'terminal_ended' } as const;
  expect(await refused({ answer: 'deny', by: 'flag', reason })).toMatchObject({ by: 'flag', reason });
});

test('an answer for this conversation holds in it and nowhere else, one for always everywhere', async () => {
  for (const [scope, elsewhere] of [
    ['conversation', 'deny'],
    ['always', 'allow'],
  ] as const) {
    const user = new User((asked, count) => (count === 1 ? keepFirst(scope)(asked) : no));
    const { gate, rules } = gateWith(user);
    expect(await gate.authorize(gateCall(writeTo('/w/n/a')), never)).toMatchObject({
      answer: 'allow',
      by: 'user',
      ruleId: 'rule-1',
    });
    expect(await gate.authorize(gateCall(writeTo('/w/n/b')), never)).toMatchObject({
      answer: 'allow',
      by: 'rule',
      ruleId: 'rule-1',
    });
    expect(rules.kept[0]).toMatchObject({ uses: 2 });
    const other = gateCall(writeTo('/w/n/c'), { conversationId: 'conversation-2' });
    expect((await gate.authorize(other, never)).answer).toBe(elsewhere);
  }
});

test('a revoked rule answers no more', async () => {
  const user = new User((asked, count) => (count === 1 ? keepFirst('always')(asked) : no));
  const { gate, rules } = gateWith(user);
  await gate.authorize(gateCall(writeTo('/w/n/a')), never);
  rules.revoke('rule-1');
  expect((await gate.authorize(gateCall(writeTo('/w/n/a')), never)).answer).toBe('deny');
});

test('an answer with a rule that was not offered allows nothing and keeps nothing', async () => {
  const wide = {
    label: 'edit files in /w/n',
    tool: null,
    matcher: { kind: 'folder', class: 'write', path: '/' },
  } as const;
  const { gate, rules } = gateWith(new User(() => ({ answer: 'allow', scope: 'always', rule: wide, by: 'user' })));
  expect(await gate.authorize(gateCall(writeTo('/w/n/a')), never)).toMatchObject({ answer: 'deny', by: 'default' });
  expect(rules.kept).toEqual([]);
});

test('outside a conversation nothing is kept for "this conversation", which would be for always', async () => {
  const { gate, rules } = gateWith(new User(keepFirst('conversation')));
  expect((await gate.authorize(gateCall(writeTo('/w/a'), { conversationId: null }), never)).answer).toBe('deny');
  expect(rules.kept).toEqual([]);
});

test('if the file changed while the user was asked, the user is asked again about the new state', async () => {
  const states = ['one', 'two', 'two'];
  const effects = (beforeImage: string): CallEffects => ({ ...writeTo('/w/a'), beforeImage });
  const user = new User(() => yesOnce);
  const { gate } = gateWith(user);
  const call = gateCall(effects('zero'), { reassess: async () => effects(states.shift() ?? 'two') });
  const authorization = await gate.authorize(call, never);
  expect(authorization).toMatchObject({ answer: 'allow', approved: { beforeImage: 'two' } });
  expect(user.asked).toHaveLength(3);
  expect(asTool(user, 0).reason).toEqual({ code: 'write' });
  expect(asTool(user, 1).reason).toEqual({ code: 'changed_while_asked', asked: { code: 'write' } });
  expect(new Set(user.asked.map((_, index) => asTool(user, index).boundTo)).size).toBe(3);
});

test('a call whose effects keep changing is not run', async () => {
  let count = 0;
  const user = new User(() => yesOnce);
  const { gate } = gateWith(user);
  const call = gateCall(writeTo('/w/a'), {
    reassess: async () => ({ ...writeTo('/w/a'), beforeImage: String(++count) }),
  });
  expect(await gate.authorize(call, never)).toMatchObject({ answer: 'deny', by: 'default' });
  expect(user.asked).toHaveLength(5);
});

test('an argument that changes during the question is asked about again', async () => {
  const input: Record<string, unknown> = { command: 'ls' };
  const user = new User((_, count) => {
    if (count === 1) input.command = 'rm -rf /';
    return count === 1 ? yesOnce : no;
  });
  const { gate } = gateWith(user);
  expect((await gate.authorize(gateCall(program('ls'), { input }), never)).answer).toBe('deny');
  expect(user.asked).toHaveLength(2);
});

test('a call that has become impossible meanwhile is not run', async () => {
  const { gate } = gateWith(new User(() => yesOnce));
  const call = gateCall(writeTo('/w/a'), {
    reassess: () => Promise.reject(new Error('Error: Access denied. File must be in /w')),
  });
  await expect(gate.authorize(call, never)).rejects.toThrow('Access denied');
});

test('a grant to work freely can end after a week: until then it answers, and after that the user is asked again', async () => {
  let now = new Date('2031-03-03T12:00:00Z');
  const user = new User((asked, count) => {
    const { offers } = asked as ToolConsentRequest;
    const rule = offers.find(({ matcher }) => matcher.kind === 'work-freely');
    return count === 1 && rule !== undefined ? { answer: 'allow', scope: 'week', rule, by: 'user' } : no;
  });
  const { gate, rules } = gateWith(user, { holdsCommands: async () => true, now: () => now });
  const write = (conversationId: string) => gate.authorize(gateCall(writeTo('/w/a'), { conversationId }), never);
  expect(await write('conversation-1')).toMatchObject({
    by: 'user',
    reason: { code: 'allowed_and_kept', scope: 'week' },
  });
  expect(rules.kept).toMatchObject([
    {
      label: 'work freely in /w',
      conversationId: null,
      matcher: { kind: 'work-freely', path: '/w', until: '2031-03-10T12:00:00.000Z' },
    },
  ]);
  now = new Date('2031-03-10T11:59:59Z');
  expect(await write('conversation-2')).toMatchObject({ answer: 'allow', by: 'grant' });
  now = new Date('2031-03-10T12:00:00Z');
  expect(await write('conversation-2')).toMatchObject({ answer: 'deny', by: 'user' });
  expect(user.asked).toHaveLength(2);
});

test('a command that is allowed with a grant to work freely runs under it at once', async () => {
  const user = new User((asked) => {
    const rule = (asked as ToolConsentRequest).offers.find(({ matcher }) => matcher.kind === 'work-freely');
    return rule === undefined ? no : { answer: 'allow', scope: 'conversation', rule, by: 'user' };
  });
  const { gate } = gateWith(user, { holdsCommands: async () => true });
  const command = { kind: 'shell', line: 'npm test' } as const;
  const held = { kind: 'command', class: 'execute', command, directory: '/w', heldIn: '/w' } as const;
  expect(await gate.authorize(gateCall({ access: [held] }), never)).toMatchObject({
    answer: 'allow',
    by: 'grant',
    reason: { code: 'allowed_and_kept', scope: 'conversation' },
  });
  expect(user.asked).toHaveLength(1);
});

test('no other rule can be kept for a week', async () => {
  const { gate, rules } = gateWith(
    new User((asked) => {
      const [rule] = (asked as ToolConsentRequest).offers;
      return rule === undefined ? no : { answer: 'allow', scope: 'week', rule, by: 'user' };
    }),
  );
  expect(await gate.authorize(gateCall(writeTo('/w/a')), never)).toMatchObject({
    answer: 'deny',
    reason: { code: 'rule_not_offered' },
  });
  expect(rules.kept).toEqual([]);
});

test('questions come one at a time, in order, and a rule made meanwhile answers those that wait', async () => {
  const first = held();
  const user = new User((_, count) => (count === 1 ? first.answer : no));
  const { gate } = gateWith(user);
  const waiting = ['/w/n/a', '/w/n/b', '/w/m/c'].map((path) => gate.authorize(gateCall(writeTo(path)), never));
  await expect.poll(() => user.asked.length).toBe(1);
  first.give(keepFirst('conversation')(asTool(user)));
  const answers = await Promise.all(waiting);
  expect(answers.map(({ answer, by }) => `${answer} by ${by}`)).toEqual([
    'allow by user',
    'allow by rule',
    'deny by user',
  ]);
  expect(user.asked).toHaveLength(2);
});

test('a question that waited shows the current state', async () => {
  const first = held();
  const user = new User((_, count) => (count === 1 ? first.answer : yesOnce));
  const { gate } = gateWith(user);
  const one = gate.authorize(gateCall(writeTo('/w/a')), never);
  const now = { ...writeTo('/w/b'), beforeImage: 'now' };
  const two = gate.authorize(gateCall({ ...now, beforeImage: 'then' }, { reassess: async () => now }), never);
  await expect.poll(() => user.asked.length).toBe(1);
  first.give(yesOnce);
  expect(await Promise.all([one, two])).toMatchObject([
    { answer: 'allow' },
    { answer: 'allow', approved: { beforeImage: 'now' } },
  ]);
  expect(user.asked).toHaveLength(2);
});

test('Stop takes away the question that is shown and all that wait, and the next one is asked as ever', async () => {
  const user = new User((_, count) => (count === 1 ? held().answer : yesOnce));
  const { gate } = gateWith(user);
  const stop = new AbortController();
  const calls = ['/w/a', '/w/b', '/w/c'].map((path) => gate.authorize(gateCall(writeTo(path)), stop.signal));
  await expect.poll(() => user.asked.length).toBe(1);
  stop.abort(new Error('stopped'));
  const results = await Promise.allSettled(calls);
  expect(results.map((result) => result.status === 'rejected' && String(result.reason))).toEqual(
    Array(3).fill('Error: stopped'),
  );
  expect(user.asked).toHaveLength(1);
  expect((await gate.authorize(gateCall(writeTo('/w/d')), never)).answer).toBe('allow');
  await expect(gate.authorize(gateCall(readOf('/w/a')), stop.signal)).rejects.toThrow('stopped');
});

test('a surface that fails allows nothing and does not block the next question', async () => {
  const user = new User((_, count) => (count === 1 ? Promise.reject(new Error('the view crashed')) : yesOnce));
  const { gate } = gateWith(user);
  await expect(gate.authorize(gateCall(writeTo('/w/a')), never)).rejects.toThrow('the view crashed');
  expect((await gate.authorize(gateCall(writeTo('/w/a')), never)).answer).toBe('allow');
});

test('allowing an address covers it once, allowing its host is a rule for the conversation', async () => {
  const user = new User((asked, count) => {
    const [rule] = asked.kind === 'tool' ? asked.offers : [];
    if (count < 3 || rule === undefined) return count < 3 ? yesOnce : no;
    return { answer: 'allow', scope: 'conversation', by: 'user', rule };
  });
  const { gate } = gateWith(user);
  const get = async (url: string, conversationId = 'conversation-1') =>
    (await gate.authorize(gateCall(request(url), { marks: [privateMark], conversationId }), never)).by;
  expect(await get('https://example.org/a')).toBe('user');
  expect(await get('https://example.org/a')).toBe('user');
  expect(await get('https://example.org/b')).toBe('user');
  expect(await get('https://www.example.org/c')).toBe('rule');
  expect(user.asked).toHaveLength(3);
  expect(await get('https://example.org/c', 'conversation-2')).toBe('user');
  expect(user.asked).toHaveLength(4);
});

test('a service is asked about once per conversation, whatever the query', async () => {
  const user = new User(() => yesOnce);
  const { gate } = gateWith(user);
  const search = (conversationId = 'conversation-1') => {
    const effects = {
      access: [
        {
          kind: 'request',
          class: 'network',
          url: 'https://search.example/?q=x',
          host: 'search.example',
          method: 'GET',
          service: 'search',
        },
      ],
    } as const;
    return gate.authorize(gateCall(effects, { marks: [untrusted, privateMark], conversationId }), never);
  };
  expect(await search()).toMatchObject({ by: 'user' });
  expect(await search()).toMatchObject({ by: 'default' });
  expect(await search('conversation-2')).toMatchObject({ by: 'user' });
  const page = gateCall(request('https://search.example/page'), { marks: [untrusted, privateMark] });
  expect(await gate.authorize(page, never)).toMatchObject({ by: 'user' });
});

test('concurrent calls share the limits of links', async () => {
  const user = new User(() => no);
  const { gate } = gateWith(user);
  const url = (index: number) => `https://a${index}.example.org/`;
  const links = new FakeLinks(Array.from({ length: 8 }, (_, index) => url(index)));
  const authorizations = await Promise.all(
    Array.from({ length: 8 }, (_, index) =>
      gate.authorize(gateCall(request(url(index)), { marks: [privateMark], links }), never),
    ),
  );
  expect(authorizations.filter(({ answer }) => answer === 'allow')).toHaveLength(5);
  expect(links.followedOn('example.org')).toBe(5);
});

test('each secret file is asked about once per conversation, and no rule covers it', async () => {
  const user = new User(() => yesOnce);
  const { gate, rules } = gateWith(user);
  rules.add({ label: 'all', tool: null, matcher: { kind: 'folder', class: 'read', path: '/' } }, null);
  const secret = (path: string): CallEffects => ({
    access: [{ class: 'read', kind: 'file', path, outsideRoots: false, isSecret: true }],
  });
  const read = (path: string, conversationId: string | null = 'conversation-1') =>
    gate.authorize(gateCall(secret(path), { conversationId }), never);
  for (const path of ['/w/.env', '/w/.env', '/w/id_rsa', '/w/.env']) expect((await read(path)).answer).toBe('allow');
  expect(user.asked.map(({ reason }) => reason)).toEqual([
    { code: 'secret_file', path: '/w/.env' },
    { code: 'secret_file', path: '/w/id_rsa' },
  ]);
  expect((await read('/w/.env')).reason).toEqual({ code: 'secret_file_allowed', path: '/w/.env' });
  for (const conversationId of ['conversation-2', null, null]) await read('/w/.env', conversationId);
  expect(user.asked).toHaveLength(5);
  // A yes to reading is none to writing.
  await gate.authorize(gateCall(writeTo('/w/.env')), never);
  expect(user.asked.at(-1)?.reason.code).toBe('write');
});

test('variables are passed to the command that the user passed them to, and to no other', async () => {
  const withheld = ['GH_TOKEN'];
  const command: CallEffects = {
    access: [
      { kind: 'command', class: 'execute', command: { kind: 'argv', argv: ['make'] }, directory: '/w', withheld },
    ],
  };
  const passing: ConsentAnswer = { answer: 'allow', scope: 'once', by: 'user', passesVariables: true };
  const user = new User((_, count) => (count === 2 ? yesOnce : passing));
  const { gate } = gateWith(user);
  const ask = (effects: CallEffects) => gate.authorize(gateCall(effects), never);
  const reason = { code: 'allowed_with_variables', names: withheld };
  expect(await ask(command)).toMatchObject({ answer: 'allow', passesVariables: true, reason });
  expect(await ask(command)).toHaveProperty('passesVariables', undefined);
  // There is nothing to pass, whatever the surface says.
  expect(await ask(program('make'))).toHaveProperty('passesVariables', undefined);
});

test('allowing a request with a body to a host does not allow the host', async () => {
  const user = new User((_, count) => (count === 1 ? yesOnce : no));
  const { gate } = gateWith(user);
  expect((await gate.authorize(gateCall(request('https://example.org/', 'POST')), never)).answer).toBe('allow');
  const marked = gateCall(request('https://example.org/'), { marks: [untrusted, privateMark] });
  expect((await gate.authorize(marked, never)).answer).toBe('deny');
});

test('several gates of one user can share one queue', async () => {
  const questions = new QuestionQueues();
  const first = held();
  const user = new User((_, count) => (count === 1 ? first.answer : yesOnce));
  const gates = [gateWith(user, { questions }).gate, gateWith(user, { questions }).gate];
  const calls = gates.map((gate) => gate.authorize(gateCall(writeTo('/w/a')), never));
  await expect.poll(() => user.asked.length).toBe(1);
  first.give(yesOnce);
  await Promise.all(calls);
  expect(user.asked).toHaveLength(2);
});
