import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { AttachedResource, ResourceMatches } from '../../../src-preload/contract/server-content.ts';
import type { ServerLogEntry } from '../../../src-preload/contract/server-diagnostics.ts';
import { SOON, WindowRig } from '../../fixtures/window-rig.ts';

const SERVER = fileURLToPath(new URL('../../fixtures/mcp/changing-server.mjs', import.meta.url));
const ERAS = ['2025-11-25', 'modern'] as const;
const NOW = { server: 'changing', uri: 'note://now' };

interface Window {
  readonly rig: WindowRig;
  readonly write: (text: string) => void;
  /** What the page was told, newest last. */
  readonly told: () => readonly AttachedResource[];
  /** Resolves with the newest state once it is this one. */
  readonly shows: (state: AttachedResource['state'], after?: number) => Promise<AttachedResource>;
  readonly attach: (id?: string | null) => Promise<unknown>;
  readonly detach: () => Promise<unknown>;
  /** The text that reaches the conversation. */
  readonly send: (version: string | undefined, id?: string | null) => Promise<{ id: string; text: string }>;
}

async function windowWith(era: (typeof ERAS)[number], isReviewed = true): Promise<Window> {
  const folder = mkdtempSync(join(tmpdir(), 'steward-note-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'note');
  const write = (text: string) => writeFileSync(file, text);
  write('one');
  const mcpServers = { changing: { command: process.execPath, args: [SERVER, file, era] } };
  const rig = new WindowRig({ config: { mcpServers, model: 'guide' } });
  const confirming = rig.request('settings.confirmPending');
  await rig.answer({ answer: 'once' });
  await rig.answer({ answer: isReviewed ? 'once' : 'deny' });
  await confirming;
  await vi.waitFor(async () => {
    const { rows } = await rig.request<ResourceMatches>('content.resources', { query: 'now' });
    expect(rows).toHaveLength(1);
  }, SOON);
  const told = () => rig.events.flatMap(({ name, data }) => (name === 'resource' ? [data as AttachedResource] : []));
  return {
    rig,
    write,
    told,
    shows: (state, after = 0) =>
      vi.waitFor(() => {
        const newest = told().slice(after).at(-1);
        if (newest?.state !== state) throw new Error(`It is shown as ${newest?.state}`);
        return newest;
      }, SOON),
    attach: (id = null) => rig.request('content.attached', { id, resources: [NOW] }),
    detach: () => rig.request('content.attached', { id: null, resources: [] }),
    send: async (version, id = null) => {
      const attachments = [{ kind: 'resource', name: 'now', ...NOW, ...(version === undefined ? {} : { version }) }];
      const before = id === null ? 0 : rig.turnEvents(id).length;
      const sent = await rig.request<{ id: string }>('conversations.send', { id, text: 'What is it?', attachments });
      await rig.turnEnded(sent.id, before);
      const message = rig
        .turnEvents(sent.id)
        .slice(before)
        .find(({ type }) => type === 'user_message');
      return { id: sent.id, text: JSON.stringify(message?.attachments) };
    },
  };
}

test.each(ERAS)(
  '%s: an attached resource that changes is read again, and what is shown is what is sent',
  async (era) => {
    const { write, attach, shows, send, told } = await windowWith(era);
    await attach();
    const first = await shows('attached');
    write('two');
    const second = await shows('updated');
    expect(second.version).not.toBe(first.version);
    expect((await send(second.version ?? undefined)).text).toContain('"text":"two"');
    expect(told().map(({ state }) => state)).toEqual(['attached', 'updated']);
  },
);

test.each(ERAS)('%s: the watch ends with the attachment', async (era) => {
  const { write, attach, detach, shows, told, rig, send } = await windowWith(era);
  await attach();
  const { version } = await shows('attached');
  await detach();
  write('two');
  // A message that was on its way still gets what its chip showed.
  expect((await send(version ?? undefined)).text).toContain('"text":"one"');
  // Attached again, it is read again: that the change in between was not reported is known by then.
  const before = told().length;
  await attach();
  await shows('attached', before);
  expect(told()).toHaveLength(before + 1);
  // If it was not shown, it is read when it is sent.
  write('three');
  await rig.request('content.attached', { id: null, resources: [] });
  expect((await send(undefined)).text).toContain('"text":"three"');
});

test('without a review nothing is read until the user says so; then a change is shown, and read again on their word', async () => {
  const { rig, write, attach, shows, send, told } = await windowWith('2025-11-25', false);
  await attach();
  const reading = rig.request('content.readAgain', NOW);
  await rig.answer({ answer: 'once' });
  await reading;
  const first = await shows('attached');
  write('two');
  expect(await shows('changed')).toMatchObject({ version: first.version });
  expect(rig.isConsentShown).toBe(false);
  const again = rig.request('content.readAgain', NOW);
  await rig.answer({ answer: 'once' });
  await again;
  const { version } = await shows('updated');
  expect((await send(version ?? undefined)).text).toContain('"text":"two"');
  expect(told().map(({ state }) => state)).toEqual(['attached', 'changed', 'updated']);
  // A script can't have questions asked.
  rig.hasGesture = false;
  expect(await rig.code('content.readAgain', NOW)).toBe('no_gesture');
});

test('what one conversation attached is not sent in another', async () => {
  const { rig, attach, shows, send } = await windowWith('2025-11-25');
  await attach();
  const { version } = await shows('attached');
  const { id } = await send(version ?? undefined);
  const attachments = [{ kind: 'resource', name: 'now', ...NOW, version }];
  expect(await rig.code('conversations.send', { id, text: 'x', attachments })).toBe('bad_attachment');
  const before = rig.events.length;
  await attach(id);
  const inside = await vi.waitFor(() => {
    const found = rig.events.slice(before).find(({ name }) => name === 'resource')?.data as
      | AttachedResource
      | undefined;
    if (found === undefined) throw new Error('It was not read');
    return found;
  }, SOON);
  expect((await send(inside.version ?? undefined, id)).text).toContain('"text":"one"');
});

test.each([
  ['nothing that it does not list', true, [{ ...NOW, uri: 'note://what-the-page-stole' }]],
  ['nothing before its review', false, [NOW]],
] as const)('a page can make Steward tell a server %s', async (_, isReviewed, resources) => {
  const { rig } = await windowWith('2025-11-25', isReviewed);
  const told = async () => {
    const { entries } = await rig.request<{ entries: readonly ServerLogEntry[] }>('serverDiagnostics.followLog', {
      server: NOW.server,
    });
    return entries.filter(({ kind, message }) => kind === 'sent' && message?.method === 'resources/subscribe');
  };
  await rig.request('content.attached', { id: null, resources });
  expect(await told()).toEqual([]);
  // The control: what it lists, once it is reviewed, it is told.
  if (isReviewed) {
    await rig.request('content.attached', { id: null, resources: [NOW] });
    await vi.waitFor(async () => expect(await told()).toHaveLength(1), SOON);
  }
});

test.each(ERAS)('%s: 10,000 changes a second are at most one reading every two seconds', async (era) => {
  const { rig, write, attach, shows, told } = await windowWith(era);
  await attach();
  await shows('attached');
  write('flood');
  await shows('updated');
  const logged = async (method: string) => {
    const { entries } = await rig.request<{ entries: readonly ServerLogEntry[] }>('serverDiagnostics.followLog', {
      server: NOW.server,
    });
    return entries.filter(({ message }) => message?.method === method);
  };
  const reported = async () => (await logged('notifications/resources/updated')).length;
  const before = told().length;
  const reports = await reported();
  // The flood goes on.
  await vi.waitFor(async () => expect(await reported()).toBeGreaterThan(reports + 8), SOON);
  // The same text again is no news.
  expect(told()).toHaveLength(before);
  write('calm');
  await shows('updated', before);
  const reads = (await logged('resources/read')).filter(({ kind }) => kind === 'sent').map(({ at }) => at);
  expect(reads.length).toBeGreaterThan(1);
  // Measures the whole time, with a moment for the rounding of clocks.
  const seconds = ((reads.at(-1) ?? 0) - (reads[0] ?? 0) + 50) / 1000;
  expect(reads.length - 1).toBeLessThanOrEqual(seconds / 2);
});
