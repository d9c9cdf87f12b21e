import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { registrationProblem } from '../../src-main/client-tools/registration.ts';
import { faultOfTool } from '../../src-main/mcp/messages/unusable-tool.ts';
import { readServer } from '../../src-main/mcp/setup/server-plan.ts';
import { storedValues } from '../../src-main/mcp/setup/server-values.ts';
import { readConfig } from '../../src-main/settings/read-config.ts';
import { isNameOfEveryObject } from '../../src-preload/contract/outside-names.ts';
import { ownRecord } from '../../src-preload/contract/own-record.ts';
import { providerNameProblem } from '../../src-preload/contract/provider-name.ts';
import { connectionTo, stdioConfig } from '../fixtures/mcp/connections.ts';
import { programForm } from '../fixtures/mcp/program-form.ts';
import { repetitions } from '../fixtures/repetitions.ts';
import { WindowRig } from '../fixtures/window-rig.ts';

/**
 * Names that every object has. Whatever looks one up finds something that nobody put there, and whatever sets
 * `__proto__` sets no key: so a server of that name was asked about without its program. Servers, tools, programs and
 * providers are refused; parameters, variables and headers arrive.
 */

const NAMES = [...Object.getOwnPropertyNames(Object.prototype), 'prototype'];

test('the control: an object has them all, and swallows one that is set', () => {
  const servers: object = {};
  expect(NAMES.filter((name) => name in servers)).toHaveLength(NAMES.length - 1);
  expect(Object.keys(Object.assign(servers, JSON.parse('{"__proto__": {"command": "evil"}}')))).toEqual([]);
  expect(servers).toHaveProperty('command', 'evil');
});

const form = (name: string) => programForm({ name, command: process.execPath, args: ['-e', '0'] });

describe.each(NAMES)('%s', (name) => {
  const entry = { command: 'npx', args: ['evil'] };
  const own = (value: unknown) => Object.fromEntries([[name, value]]);

  test('is refused as the name of a server, a provider, a tool, a program’s group, tool and skill', () => {
    const { config, problems } = readConfig(
      { mcpServers: own(entry), providers: own({ type: 'ollama', model: 'm' }) },
      '/p',
    );
    expect(Object.getOwnPropertyNames(config.mcpServers)).toEqual([]);
    expect(Object.getOwnPropertyNames(config.providers)).toEqual([]);
    expect(problems.map(({ message }) => message)).toEqual([
      expect.stringContaining('Every object'),
      expect.stringContaining('Every object'),
    ]);
    expect(readServer(name, entry, '/p').server).toBeUndefined();
    expect(providerNameProblem(name)).toContain('Every object');
    expect(faultOfTool({ name, inputSchema: { type: 'object' } })).toEqual({ code: 'object_name' });
    const tool = { name: 'fine', description: 'd', parametersSchema: {}, requiresPermission: false };
    const group = { name: 'ide', tools: [tool], startCollapsed: true };
    const skill = { name, description: 'd', functionResult: 'x', references: [] };
    const rules = { validatesSchemas: false, isTaken: () => false, looksBuiltIn: () => false };
    for (const bad of [
      { ...group, name },
      { ...group, tools: [{ ...tool, name }] },
      { ...group, skills: [skill] },
    ])
      expect(registrationProblem([bad], { groups: [] } as never, rules)?.reason).toContain('every object');
  });

  test('is carried as the name of a variable, a header and a parameter', () => {
    const server = { ...entry, env: own('here'), headers: own('here') };
    const { config } = readConfig({ mcpServers: { it: server } }, '/p');
    expect(Object.entries(config.mcpServers.it?.env ?? {})).toEqual([[name, 'here']]);
    expect(Object.entries(config.mcpServers.it?.headers ?? {})).toEqual([[name, 'here']]);
    const line = { name, value: 'here', isSecret: false, before: '', after: '' };
    expect(Object.entries(storedValues([line], {}).written)).toEqual([[name, 'here']]);
    expect(Object.entries(ownRecord(z.string()).parse(own('here')))).toEqual([[name, 'here']]);
  });
});

test('such a server can’t be added: nothing is asked, and config.json has no command', async () => {
  const rig = new WindowRig({ config: {} });
  for (const name of ['__proto__', 'constructor', ' toString ']) {
    const envelope = await rig.envelope('servers.add', { form: form(name) });
    expect(envelope).toMatchObject({
      ok: false,
      error: { code: 'bad_server', message: expect.stringContaining('Every object') },
    });
  }
  expect(readFileSync(join(rig.profile, 'config.json'), 'utf8')).not.toContain('command');
});

/** Answers a call with the line that it came in. */
const ECHOING = `
  const lines = require('node:readline').createInterface({ input: process.stdin });
  lines.on('line', (line) => {
    const { id, method, params } = JSON.parse(line);
    if (id === undefined) return;
    const result = {
      initialize: { protocolVersion: params?.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'e', version: '1' } },
      'tools/list': { tools: [{ name: 'echo', inputSchema: { type: 'object' } }] },
      'tools/call': { content: [{ type: 'text', text: line }] },
    }[method];
    const answer = result === undefined ? { error: { code: -32601, message: 'no' } } : { result };
    process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...answer }) + '\\n');
  });
`;

test('a server gets parameters of such names, at any depth', async () => {
  const { connection } = connectionTo(stdioConfig(['-e', ECHOING]));
  await connection.start();
  const members = NAMES.map((name) => `${JSON.stringify(name)}:{"__proto__":[{"constructor":1}]}`);
  const given = `{${members.join(',')}}`;
  const { parts } = await connection.call('echo', JSON.parse(given), { signal: new AbortController().signal });
  expect(JSON.stringify(parts)).toContain(JSON.stringify(given).slice(1, -1));
});

test('of generated objects, every key comes back as an own property', () => {
  const key = fc.oneof(fc.constantFrom(...NAMES), fc.string());
  fc.assert(
    fc.property(fc.uniqueArray(fc.tuple(key, fc.string()), { selector: ([name]) => name, maxLength: 8 }), (entries) => {
      const given = Object.fromEntries(entries);
      const read = ownRecord(z.string()).parse(given);
      expect(Object.entries(read)).toEqual(Object.entries(given));
      expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
    }),
    { numRuns: repetitions(300, 6_000), seed: 31 },
  );
});

test('ordinary names are not refused', () => {
  for (const name of ['files', 'Constructor', 'to_string', 'value-of', 'proto'])
    expect(isNameOfEveryObject(name)).toBe(false);
});
