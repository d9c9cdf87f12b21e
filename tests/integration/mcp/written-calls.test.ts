import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import { ConversationLog } from '../../../src-main/assistant/conversation-log.ts';
import { ToolCalls } from '../../../src-main/assistant/tool-calls.ts';
import { mcpTool } from '../../../src-main/mcp/mcp-tool.ts';
import { StreamedInput } from '../../../src-main/models/transport/tool-input.ts';
import { callQuestion } from '../../../src-main/policy/question/call-question.ts';
import { valueText } from '../../../src-main/policy/question/question-parts.ts';
import { KnownSecrets } from '../../../src-main/secrets/known-secrets.ts';
import { ConversationToolset } from '../../../src-main/tools/registry/conversation-toolset.ts';
import { allowAll } from '../../fixtures/allow-all.ts';
import { connectionTo, stdioConfig } from '../../fixtures/mcp/connections.ts';
import { type WrittenCase, writtenCase } from '../../fixtures/mcp/written-cases.ts';
import { MemoryEvents } from '../../fixtures/memory-events.ts';
import { forgottenImages } from '../../fixtures/memory-images.ts';
import { gateWith, User, yesOnce } from '../../fixtures/memory-ports.ts';
import { noCheckpoints } from '../../fixtures/no-checkpoints.ts';
import { noProvenance } from '../../fixtures/no-provenance.ts';
import { ToolHarness } from '../../fixtures/tool-harness.ts';

/**
 * A real server over stdio that writes down what arrives. The registry, the gate and the log treat it like any other.
 */

const MIRROR = fileURLToPath(new URL('../../fixtures/mcp/mirror-server.mjs', import.meta.url));

let harness: ToolHarness | undefined;
let folder: string | undefined;
afterEach(async () => {
  await harness?.dispose();
  if (folder !== undefined) rmSync(folder, { recursive: true });
  harness = undefined;
  folder = undefined;
});

/** Tools named `t0`, `t1`, …, with these schemas. */
async function mirror(schemas: readonly object[], more: readonly object[] = []) {
  folder = mkdtempSync(join(tmpdir(), 'steward-mirror-'));
  const [list, calls] = [join(folder, 'tools.json'), join(folder, 'calls.jsonl')];
  writeFileSync(
    list,
    JSON.stringify([...schemas.map((inputSchema, at) => ({ name: `t${at}`, inputSchema })), ...more]),
  );
  writeFileSync(calls, '');
  const { connection } = connectionTo(stdioConfig([MIRROR, list, calls]));
  await connection.start();
  harness = new ToolHarness({ consent: allowAll });
  const { registry, environment, workspace } = harness;
  for (const tool of connection.list?.tools ?? []) {
    const facts = () => ({ server: 'fixture', text: 'outside', remoteHost: null, classes: {} }) as const;
    registry.register({ category: 'mcp', tool: mcpTool(connection, tool, facts) });
  }
  registry.buildAll();
  const user = new User(() => yesOnce);
  const { gate } = gateWith(user, { realWorkspace: workspace });
  const store = new MemoryEvents();
  const log = new ConversationLog(store, 'conversation-1', 'turn-1', () => undefined);
  const services = {
    tools: new ConversationToolset({ registry }),
    gate,
    environment,
    beforeImages: forgottenImages(),
    checkpoints: noCheckpoints,
    provenance: noProvenance,
    knownSecrets: new KnownSecrets(() => []),
    maxResultChars: 40_000,
    askedModels: undefined,
  };
  return {
    connection,
    user,
    store,
    /** `json` is what the model streams. */
    async call(tool: string, json: string): Promise<void> {
      const streamed = new StreamedInput(`call-${tool}`, `fixture__${tool}`);
      streamed.add(json);
      await new ToolCalls(services, log, 'model', new AbortController().signal).run([streamed.finish()]);
    },
    /** The line as it came. */
    arrived: () =>
      readFileSync(calls, 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => {
          const { name, arguments: input } = JSON.parse(line).params;
          return { name, input, line };
        }),
    results: () => store.ofType('tool_result').map(({ id, text }) => ({ id, text })),
  };
}

test('a server receives what the model wrote, or there is an error and no call', async () => {
  const batch = fc.array(writtenCase, { minLength: 12, maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(batch, async (cases) => {
      const schemas = cases.map(({ schema }) => ({
        type: 'object',
        properties: { p: schema, unset: { type: 'boolean', default: true } },
        $defs: { Text: { type: 'string' } },
      }));
      const it = await mirror(schemas);
      for (const [at, { written }] of cases.entries()) await it.call(`t${at}`, JSON.stringify({ p: written }));
      const expected = cases.flatMap(({ sent }, at) =>
        sent === undefined ? [] : [{ name: `t${at}`, input: JSON.parse(JSON.stringify({ p: sent.value })) as object }],
      );
      expect(it.arrived().map(({ name, input }) => ({ name, input }))).toEqual(expected);
      expectShown(it, cases, expected);
      await harness?.dispose();
    }),
    { numRuns: 20, endOnFailure: true },
  );
});

/**
 * Expects the event, the question and the server's log to show what was sent. If nothing was sent, nobody was asked,
 * and the model is told why.
 */
function expectShown(
  { store, user, connection, results }: Awaited<ReturnType<typeof mirror>>,
  cases: readonly WrittenCase[],
  expected: readonly { readonly name: string; readonly input: object }[],
): void {
  const events = store.ofType('tool_call').map(({ name, input }) => ({ name, input }));
  const sent = events.filter(({ name }) => expected.some((each) => `fixture__${each.name}` === name));
  expect(JSON.parse(JSON.stringify(sent))).toEqual(
    expected.map(({ name, input }) => ({ name: `fixture__${name}`, input })),
  );
  const shown = user.asked.map((request) => {
    const part =
      request.kind === 'tool' ? callQuestion(request).parts.find((each) => each.kind === 'arguments') : undefined;
    return part?.kind === 'arguments' ? part.values : [];
  });
  expect(shown).toEqual(
    expected.map(({ input }) => Object.entries(input).map(([name, value]) => ({ name, text: valueText(value) }))),
  );
  const logged = connection.log.entries.filter(({ kind, text }) => kind === 'sent' && text.includes('"tools/call"'));
  for (const [at, { input }] of expected.entries()) {
    const json = JSON.stringify(input);
    if (json.length < 200) expect(logged[at]?.text).toContain(`"arguments":${json}`);
  }
  for (const [at, { sent: value }] of cases.entries()) {
    const text = results().find(({ id }) => id === `call-t${at}`)?.text;
    expect(text).toMatch(
      value === undefined ? /^Error: p.* (?:must be|is required)|^Error: unknown parameter/ : /^ok$/,
    );
  }
}

test('a whole number of more digits than a double holds arrives with all of them, and is shown so', async () => {
  const it = await mirror([{ type: 'object', properties: { id: { type: 'integer' }, text: { type: 'string' } } }]);
  const json = '{"id":9007199254740993,"more":[-12345678901234567890,{"n":1e21}],"text":"9007199254740993"}';
  await it.call('t0', json);
  expect(it.arrived()[0]?.line).toContain(`"arguments":${json.replace('1e21', '1e+21')}`);
  expect(
    it.connection.log.entries.some(({ kind, text }) => kind === 'sent' && text.includes('"id":9007199254740993,')),
  ).toBe(true);
  const [request] = it.user.asked;
  const part =
    request?.kind === 'tool' ? callQuestion(request).parts.find(({ kind }) => kind === 'arguments') : undefined;
  expect(part).toMatchObject({
    values: [{ name: 'id', text: '9007199254740993' }, { name: 'more' }, { name: 'text' }],
  });
  expect(it.store.ofType('tool_call')[0]?.input).toMatchObject({ id: 9007199254740993n });
  await it.call('t0', '{"id":1e400}');
  expect(it.results().at(-1)?.text).toBe('Error: Invalid JSON parameters: 1e400 is too large or too small a number');
  expect(it.arrived()).toHaveLength(1);
});

test("a tool that is only for an app's window is not offered", async () => {
  const visible = (name: string, visibility: unknown) => ({
    name,
    inputSchema: { type: 'object' },
    _meta: { ui: { visibility } },
  });
  const { connection } = await mirror(
    [{ type: 'object' }],
    [visible('both', ['model', 'app']), visible('app', ['app']), visible('odd', 'app'), visible('none', [])],
  );
  expect(connection.list?.tools.map(({ name }) => name)).toEqual(['t0', 'both', 'odd']);
});
