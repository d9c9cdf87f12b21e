import { afterEach, expect, test } from 'vitest';
import { z } from 'zod';
import { ConversationLog } from '../../../src-main/assistant/conversation-log.ts';
import { Turn } from '../../../src-main/assistant/turn.ts';
import type { ModelProvider, ModelRequest } from '../../../src-main/models/provider.ts';
import { defineTool } from '../../../src-main/tools/define-tool.ts';
import { allowAll } from '../../fixtures/allow-all.ts';
import { anyWords } from '../../fixtures/any-words.ts';
import { MemoryEvents } from '../../fixtures/memory-events.ts';
import { forgottenImages } from '../../fixtures/memory-images.ts';
import { noProvenance } from '../../fixtures/no-provenance.ts';
import { noSecrets } from '../../fixtures/no-secrets.ts';
import { gateWith, Person, yesOnce } from '../../unit/policy/memory-ports.ts';
import { ToolHarness } from '../tools/tool-harness.ts';

let harness: ToolHarness | undefined;
afterEach(async () => {
  await harness?.dispose();
  harness = undefined;
});

/** Says what it was asked, calls the tools it was told to, then is done. */
class ScriptedModel implements ModelProvider {
  readonly name = 'scripted';
  readonly isOffline = false;
  readonly requests: ModelRequest[] = [];
  readonly calls: string[] = [];

  limits() {
    return { contextTokens: 1_000_000, maxOutputTokens: 1_000 };
  }

  price() {
    return undefined;
  }

  remedies() {
    return [];
  }

  async *stream(request: ModelRequest) {
    this.requests.push(request);
    const name = this.calls.shift();
    const id = `call_${this.requests.length}`;
    if (name === undefined) yield { type: 'block', block: { type: 'text', text: 'Done.' } } as const;
    else yield { type: 'block', block: { type: 'tool_use', id, name, input: {} } } as const;
    const usage = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0 };
    yield { type: 'end', stopReason: name === undefined ? 'end_turn' : 'tool_use', usage } as const;
  }
}

test('a request contains at most 128 tools, core tools first; the ones left out are reported once', async () => {
  harness = new ToolHarness({ consent: allowAll });
  const { registry, environment, workspace } = harness;
  const core = registry.list().length;
  for (let index = 0; index < 128; index++)
    registry.register({
      tool: defineTool({
        ...{ name: `server__${index}`, access: 'read', description: 'Does it.', input: z.object({}), words: anyWords },
        execute: async () => 'done',
      }),
      category: 'mcp',
    });
  registry.buildAll();
  const store = new MemoryEvents();
  const { events } = store;
  const provider = new ScriptedModel();
  const turn = async () => {
    const log = new ConversationLog(store, 'conversation-1', `turn-${events.length}`, () => undefined);
    const { gate } = gateWith(new Person(() => yesOnce), { realWorkspace: workspace });
    const promptFacts = () => ({ workspace, folders: [], platform: process.platform, now: new Date(), servers: [] });
    const kept = { beforeImages: forgottenImages(), provenance: noProvenance, knownSecrets: noSecrets() };
    const services = { registry, gate, environment, ...kept, maxResultChars: 40_000 };
    const all = { ...services, provider, model: 'm', maxRounds: 5, promptFacts };
    return new Turn(all, log, new AbortController().signal).answer({ content: [{ type: 'text', text: 'go' }] });
  };
  const offered = () => (provider.requests.at(-1)?.tools ?? []).map(({ name }) => name);
  const notices = () => events.flatMap((event) => (event.type === 'notice' ? [event] : []));

  expect(await turn()).toBe('end_turn');
  expect(await turn()).toBe('end_turn');
  expect(offered()).toHaveLength(128);
  expect(offered().slice(0, core)).toEqual(
    registry
      .list()
      .slice(0, core)
      .map(({ name }) => name),
  );
  expect(offered()).not.toContain('server__127');
  expect(notices()).toHaveLength(1);
  expect(notices()[0]).toMatchObject({
    code: 'tools_left_out',
    message: expect.stringMatching(/server__\d+, .*server__127/),
  });

  // A call by name reaches it all the same, and from then on it is among those used last.
  provider.calls.push('server__127');
  expect(await turn()).toBe('end_turn');
  expect(events).toContainEqual(expect.objectContaining({ type: 'tool_result', text: 'done' }));
  expect(offered()).toHaveLength(128);
  expect(offered()).toContain('server__127');
  expect(notices()).toHaveLength(2);
});
