import { homedir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { problemText } from '../../../src-main/settings/problems.ts';
import { readConfig } from '../../../src-main/settings/read-config.ts';

const profile = '/home/ada/.config/Steward';
const read = (raw: Record<string, unknown>) => readConfig(raw, profile);
const messages = (raw: Record<string, unknown>) => read(raw).problems.map(({ message }) => message);

test('an empty config is all defaults', () => {
  expect(read({})).toEqual({
    config: {
      folders: [],
      providers: {},
      prices: {},
      mcpServers: {},
      tools: {
        disabled: [],
        disabledSkills: [],
        collapsed: [],
        profile: 'all',
        maxResultChars: 40_000,
        readWalkUp: true,
        askBeforeCommands: false,
        allowPrivateNetwork: 'ask',
      },
      clientTools: {
        invokeTimeout: 30,
        disconnectionStrategy: 'FallbackMessage',
        maxRetries: 3,
        fallbackMessageTemplate: "Client disconnected. Tool '{0}' unavailable.",
        validateSchemaOnRegistration: true,
        collapseClientTools: true,
        collapseAtTurnEnd: false,
        socket: false,
      },
      limits: { rounds: 50 },
      undo: { maxGigabytes: 5, maxDays: 30 },
      updates: { check: false },
      outboxSeconds: 10,
      endpoints: {},
    },
    problems: [],
    refused: [],
  });
});

test('a bad value is named with its path, what it is and what is expected; the rest works', () => {
  const { config, problems } = read({
    model: 'guide',
    outboxSeconds: 'ten',
    limits: { rounds: 0 },
    undo: { maxGigabytes: 0, maxDays: 1.5 },
    tools: { maxResultChars: -1, profile: 'leen', disabled: ['bash', 7], readWalkUp: false },
    folders: ['/srv/a', 'relative', '/srv/b/'],
  });
  expect(config).toMatchObject({
    model: 'guide',
    outboxSeconds: 10,
    limits: { rounds: 50 },
    undo: { maxGigabytes: 5, maxDays: 30 },
    tools: { maxResultChars: 40_000, profile: 'all', disabled: ['bash'], readWalkUp: false },
    folders: ['/srv/a', '/srv/b'],
  });
  expect(problems.map(problemText)).toEqual([
    'config.json: folders[1] ("relative") is not an absolute path; expected the absolute path of a folder ("~" stands for the home folder). It is left out until it is corrected.',
    'config.json: tools.disabled[1] is 7; expected a text. It is left out until it is corrected.',
    'config.json: tools.profile is "leen"; expected all or lean. The default, "all", is used until it is corrected.',
    'config.json: tools.maxResultChars is -1; expected a whole number, 0 or more. The default, 40000, is used until it is corrected.',
    'config.json: limits.rounds is 0; expected a whole number from 1 to 10000. The default, 50, is used until it is corrected.',
    'config.json: undo.maxGigabytes is 0; expected gigabytes from 0.1 to 10000. The default, 5, is used until it is corrected.',
    'config.json: undo.maxDays is 1.5; expected a whole number from 1 to 3650. The default, 30, is used until it is corrected.',
    'config.json: outboxSeconds is "ten"; expected seconds from 0 to 3600. The default, 10, is used until it is corrected.',
  ]);
  expect(problems.every(({ severity, code }) => severity === 'error' && code === 'bad_value')).toBe(true);
});

test('of records only the bad entry is left out', () => {
  const { config, problems } = read({
    mcpServers: {
      good: { command: 'npx', args: ['-y', 'x'] },
      mail: { transport: 'smtp', url: 'https://a.example' },
      sse: { transport: 'sse' },
      badClass: { command: 'x', classes: { a: 'admin' } },
      nothing: {},
      badArgs: { command: 'x', args: [1] },
      badEnv: { command: 'x', env: { KEY: 5 } },
      text: 'npx',
    },
    providers: {
      good: { type: 'ollama', model: 'qwen3' },
      noType: { model: 'x' },
      guide: { type: 'openai', model: 'x' },
      badUrl: { type: 'openai', model: 'x', baseUrl: 'ftp://x' },
    },
    endpoints: { anthropic: 'http://127.0.0.1:8080/prefix/', brave: 'nonsense', openai: 5 },
  });
  expect(Object.keys(config.mcpServers)).toEqual(['good']);
  expect(Object.keys(config.providers)).toEqual(['good']);
  expect(config.endpoints).toEqual({ anthropic: 'http://127.0.0.1:8080/prefix' });
  expect(problems.map(({ key }) => key)).toEqual([
    'providers.noType.type',
    'providers.guide',
    'providers.badUrl.baseUrl',
    'mcpServers.mail.transport',
    'mcpServers.sse.url',
    'mcpServers.badClass.classes.a',
    'mcpServers.nothing.command',
    'mcpServers.badArgs.args[0]',
    'mcpServers.badEnv.env.KEY',
    'mcpServers.text',
    'endpoints.openai',
    'endpoints.brave',
  ]);
});

test('a word that a server does not take is named; what may be a secret is not', () => {
  const { problems } = read({
    mcpServers: {
      mail: { transport: 'streamable http', url: 'https://a.example' },
      typed: { type: 'smtp', url: 'https://a.example' },
      classes: { command: 'x', classes: { a: 'admin' } },
      pasted: { transport: 'sk-ant-api03-0123456789', url: 'https://a.example' },
      keyed: { command: 'x', env: ['API_KEY=hunter2hunter2'] },
    },
  });
  const messages = Object.fromEntries(problems.map(({ key, message }) => [key, message]));
  expect(messages['mcpServers.mail.transport']).toMatch(/"streamable http".*one of stdio, http, streamable-http, sse/);
  expect(messages['mcpServers.typed.transport']).toContain('"smtp"');
  expect(messages['mcpServers.classes.classes.a']).toContain('"admin"');
  expect(JSON.stringify(problems)).not.toMatch(/sk-ant|hunter2/);
});

test('a provider whose name could not be used is left out, and says what is wrong with it', () => {
  const provider = { type: 'ollama', model: 'qwen3' };
  const good = ['my provider', 'anthropic:latest', 'Größe/1'];
  const bad = {
    'a  b': /single spaces/,
    'a\u200bb': /can’t be seen/,
    '"x"': /quotation marks/,
    guide: /built-in Guide/,
  };
  const { config, problems } = read({
    providers: Object.fromEntries([...good, ...Object.keys(bad)].map((name) => [name, provider])),
  });
  expect(Object.keys(config.providers)).toEqual(good);
  expect(problems.map(({ message }) => message)).toEqual(
    Object.values(bad).map((why) => expect.stringMatching(new RegExp(`providers.*cannot be used.*${why.source}`))),
  );
});

test('unknown keys are noticed, with the likely one, and keys that would be secrets with a warning', () => {
  const { problems } = read({
    modell: 'x',
    WorkingDirectory: '/x',
    colour: 'red',
    anthropicApiKey: 'sk-ant-secret',
    tools: { maxResultChar: 5 },
    mcpServers: { a: { command: 'x', autoApprove: [] } },
  });
  expect(problems.every(({ severity, code }) => severity === 'notice' && code === 'unknown_key')).toBe(true);
  const text = problems.map(({ message }) => message).join('\n');
  expect(text).toContain('modell is not a known key. It is ignored and kept. Did you mean model?');
  expect(text).toContain('Did you mean workingDirectory?');
  expect(text).toContain('Did you mean tools.maxResultChars?');
  expect(text).toContain('mcpServers.a.autoApprove is not a known key.');
  expect(text).toMatch(/colour is not a known key\. It is ignored and kept\.$/m);
  expect(text).toContain('store it in the keychain');
  expect(text).not.toContain('sk-ant-secret');
});

test('servers are read in any spelling of their keys, from any spelling of mcpServers', () => {
  const { config, problems } = read({
    McpServers: {
      a: { Command: 'npx', ARGS: ['x'], Env: { Mixed_Case: '1' } },
      b: { Transport: 'HTTP', Url: 'https://b.example/mcp', TimeoutSeconds: 5, start: 'lazy', enabled: false },
      d: { Type: 'streamable-http', url: 'https://d.example/mcp' },
    },
    mcpservers: { c: { url: 'https://c.example/mcp?tenant=1', headers: { 'X-Key': 'v' } } },
  });
  expect(problems).toEqual([]);
  const defaults = { args: [], env: {}, headers: {} };
  expect(config.mcpServers).toEqual({
    a: { ...defaults, transport: 'stdio', command: 'npx', args: ['x'], env: { Mixed_Case: '1' } },
    b: {
      ...defaults,
      transport: 'http',
      url: 'https://b.example/mcp',
      timeoutSeconds: 5,
      start: 'lazy',
      enabled: false,
    },
    c: { ...defaults, transport: 'http', url: 'https://c.example/mcp?tenant=1', headers: { 'X-Key': 'v' } },
    d: { ...defaults, transport: 'http', url: 'https://d.example/mcp' },
  });
  expect(
    read({ mcpServers: { a: { command: 'exact' } }, MCPSERVERS: { a: { command: 'other' } } }).config.mcpServers.a
      ?.command,
  ).toBe('exact');
});

test('folders are absolute, "~" is the home folder, and the profile is none', () => {
  const { config, problems } = read({
    workingDirectory: '~/notes/',
    folders: [
      '~',
      '/a/../b',
      '/b',
      profile,
      `${profile}/logs`,
      '/home/ada/.config',
      `${profile}2`,
      '~other/x',
      'C:x',
      '/nul\0',
    ],
  });
  expect(config.workingDirectory).toBe(join(homedir(), 'notes'));
  expect(config.folders).toEqual([homedir(), '/b', '/home/ada/.config', `${profile}2`]);
  expect(problems.map(({ key }) => key).toSorted()).toEqual([
    'folders[3]',
    'folders[4]',
    'folders[7]',
    'folders[8]',
    'folders[9]',
  ]);
  expect(messages({ workingDirectory: profile })[0]).toContain('is in the profile folder');
  expect(read({ workingDirectory: profile }).config.workingDirectory).toBeUndefined();
});

test('no message shows what may be a secret', () => {
  const secret = 'hunter2-hunter2';
  const text = messages({
    endpoints: { anthropic: `https://ada:${secret}@h.example`, openai: `https://h.example?key=${secret}` },
    mcpServers: {
      a: { command: 'x', env: { K: [secret] }, headers: { 'bad name': secret } },
      b: { url: `x ${secret}` },
      c: { command: 'x', env: { K: `${secret}\0` } },
    },
    providers: { p: { type: 'openai', model: 'm', baseUrl: `https://ada:${secret}@h`, apiKey: secret } },
    model: { key: secret },
  }).join('\n');
  expect(text).toContain('endpoints.anthropic');
  expect(text).toContain('mcpServers.b.url');
  expect(text).not.toContain(secret);
});

test('whatever JSON is in the file, there is a whole config and each message is one line', () => {
  const keys = fc.constantFrom(
    ...Object.keys(read({}).config),
    'workingDirectory',
    'model',
    'McpServers',
    '__proto__',
    'constructor',
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(keys, fc.jsonValue({ maxDepth: 4 }))), (entries) => {
      const raw = JSON.parse(
        `{${entries.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`).join(',')}}`,
      );
      const { config, problems } = read(raw);
      expect(config.limits.rounds).toBeGreaterThan(0);
      expect(config.tools.maxResultChars).toBeGreaterThanOrEqual(0);
      expect(Object.getPrototypeOf(config.providers)).toBe(Object.prototype);
      for (const problem of problems) expect(problemText(problem)).toMatch(/^config\.json: [^\p{Cc}]+\.?$/u);
      expect(read({ ...config }).problems).toEqual([]);
    }),
    { numRuns: 300 },
  );
});

test('what else is said of a server is read in any spelling of its keys', () => {
  const { config, problems } = read({
    mcpServers: {
      a: { command: 'x', Enabled: false, TIMEOUTSECONDS: 5, Start: 'lazy', Classes: { list: 'read' }, Text: 'own' },
      b: {
        type: 'streamable-http',
        url: 'https://b.example/mcp',
        Roots: true,
        oauth: { clientId: 'me', callbackPort: 4000 },
      },
      c: { type: 'stdio', transport: 'SSE', url: 'https://c.example/sse' },
    },
  });
  expect(problems).toEqual([]);
  expect(config.mcpServers).toMatchObject({
    a: { enabled: false, timeoutSeconds: 5, start: 'lazy', classes: { list: 'read' }, text: 'own' },
    b: { transport: 'http', roots: true, oauth: { clientId: 'me', callbackPort: 4000 } },
    c: { transport: 'sse' },
  });
});

test('system-info that starts and reaches nothing is the server that comes with Steward, and no other name is', () => {
  const { config, problems } = read({
    mcpServers: { 'system-info': { enabled: false }, other: { enabled: false }, Bundled: {} },
  });
  expect(config.mcpServers).toMatchObject({ 'system-info': { transport: 'bundled', enabled: false } });
  expect(problems.map(({ key }) => key)).toEqual(['mcpServers.other.command', 'mcpServers.Bundled.command']);
  const own = read({ mcpServers: { 'system-info': { command: 'dotnet' } } });
  expect(own.config.mcpServers['system-info']).toMatchObject({ transport: 'stdio', command: 'dotnet' });
});
