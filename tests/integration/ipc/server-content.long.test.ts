import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { TypedRecord } from '../../../src-main/desktop/typed-record.ts';
import type {
  ContentProblem,
  PreparedPrompt,
  PromptRow,
  ResourceMatches,
} from '../../../src-preload/contract/server-content.ts';
import { CONTENT_SERVER } from '../../fixtures/mcp/connections.ts';
import { SOON, WindowRig } from '../../fixtures/window-rig.ts';

/** A window with two servers that have the same addresses. `isReviewed` says that the user has seen what they say. */
async function windowWithServers({ isReviewed }: { readonly isReviewed: boolean }): Promise<WindowRig> {
  const server = (name: string) => ({ command: process.execPath, args: [CONTENT_SERVER, name] });
  const rig = new WindowRig({
    config: { mcpServers: { notes: server('notes'), archive: server('archive') }, model: 'guide' },
  });
  const confirming = rig.request('settings.confirmPending');
  for (let servers = 0; servers < 2; servers++) await rig.answer({ answer: 'once' });
  for (let reviews = 0; reviews < 2; reviews++) await rig.answer({ answer: isReviewed ? 'once' : 'deny' });
  await confirming;
  await vi.waitFor(async () => {
    const { rows } = await rig.request<ResourceMatches>('content.resources', { query: 'today' });
    expect(rows.map((row) => row.server).sort()).toEqual(['archive', 'notes']);
  }, SOON);
  return rig;
}

/** What the user wrote, and nothing else. */
function typed(text: string) {
  const record = new TypedRecord();
  for (const key of text) record.pressed({ key, control: false, alt: false, meta: false, shift: false });
  return record;
}

const resource = (server: string, uri: string) => ({ kind: 'resource', name: 'x', server, uri });

function messageOf(rig: WindowRig, id: string) {
  return rig.turnEvents(id).find(({ type }) => type === 'user_message');
}

test('a resource is read from the server it was chosen of when the message is sent, and marks it', async () => {
  const rig = await windowWithServers({ isReviewed: true });
  const attachments = [resource('archive', 'note://today'), resource('notes', 'note://picture')];
  const { id } = await rig.request<{ id: string }>('conversations.send', {
    id: null,
    text: 'What is it?',
    attachments,
  });
  await rig.turnEnded(id);
  expect(messageOf(rig, id)).toMatchObject({
    attachments: [
      { kind: 'text', text: expect.stringContaining('Of archive'), from: { server: 'archive', uri: 'note://today' } },
      { kind: 'image', mediaType: 'image/png', from: { server: 'notes', uri: 'note://picture' } },
    ],
    // The text names a host, which is the server's and not the user's.
    named: { hosts: [], urls: [] },
    marks: [
      { kind: 'untrusted', source: 'resources of the MCP server archive' },
      { kind: 'private', source: 'resources of the MCP server archive' },
      { kind: 'untrusted', source: 'resources of the MCP server notes' },
      { kind: 'private', source: 'resources of the MCP server notes' },
    ],
  });
});

test('what cannot be attached is said, and the message is not sent', async () => {
  const rig = await windowWithServers({ isReviewed: true });
  const send = (attachment: unknown) =>
    rig.envelope('conversations.send', { id: null, text: 'x', attachments: [attachment] });
  for (const uri of [
    'note://large',
    'https://listed.example/page',
    'https://evil.example/?stolen=1',
    'file:///etc/passwd',
  ])
    expect(await send(resource('notes', uri)), uri).toMatchObject({ ok: false, error: { code: 'bad_attachment' } });
  expect(await send(resource('nobody', 'note://today'))).toMatchObject({ ok: false });
  const id = '0b7f5f0e-2f6f-4c1b-9d53-0a1f8f0d2a55';
  expect(await send({ kind: 'prompt', name: 'x', id })).toMatchObject({ ok: false, error: { code: 'bad_attachment' } });
  expect(await rig.request('conversations.list')).toEqual([]);
});

test('a server that was not reviewed is asked about; without a yes nothing of it is read', async () => {
  const rig = await windowWithServers({ isReviewed: false });
  const attachments = [resource('notes', 'note://today')];
  const send = () => rig.envelope('conversations.send', { id: null, text: 'What is it?', attachments });
  const declined = send();
  await rig.answer({ answer: 'deny' });
  expect(await declined).toMatchObject({ ok: false, error: { code: 'bad_attachment' } });
  const sent = send();
  await rig.answer({ answer: 'once' });
  expect(await sent).toMatchObject({ ok: true });
  // What is half written is not passed on to it.
  const of = { kind: 'prompt', name: 'review' };
  const argument = { name: 'tone', value: 'p' };
  expect(await rig.request('content.complete', { server: 'notes', of, argument, given: {} })).toEqual([]);
});

test('a prompt becomes a message in its roles; what is wrong with an argument is said at it', async () => {
  const rig = await windowWithServers({ isReviewed: true });
  const prompts = await rig.request<readonly PromptRow[]>('content.prompts');
  expect(prompts.filter(({ server }) => server === 'notes').map(({ line }) => line)).toContain('notes/review');
  const prepare = (name: string, values: Readonly<Record<string, string>> = {}) =>
    rig.request<PreparedPrompt | ContentProblem>('content.prompt', { id: null, server: 'notes', name, values });
  expect(await prepare('review')).toMatchObject({ kind: 'problem', argument: 'topic' });
  expect(await prepare('review', { topic: 'wrong' })).toMatchObject({ kind: 'problem', argument: 'topic' });
  expect(await prepare('endless')).toMatchObject({ kind: 'problem', argument: null });
  const prepared = await prepare('roles');
  if (prepared.kind !== 'prepared') throw new Error(prepared.message);
  const attachments = [{ kind: 'prompt', name: 'roles', id: prepared.id }];
  const { id } = await rig.request<{ id: string }>('conversations.send', { id: null, text: '', attachments });
  await rig.turnEnded(id);
  expect(messageOf(rig, id)).toMatchObject({
    content: [],
    prompt: { server: 'notes', name: 'roles', messages: [{ role: 'user' }, { role: 'assistant' }] },
    named: { hosts: [], urls: [] },
  });
});

test('only what the user wrote, or was offered, goes to a server; the page by itself sends nothing', async () => {
  const rig = await windowWithServers({ isReviewed: true });
  const of = { kind: 'prompt', name: 'review' };
  const complete = (value: string, given = {}) =>
    rig.request<readonly string[]>('content.complete', {
      server: 'notes',
      of,
      argument: { name: 'tone', value },
      given,
    });
  const prompt = (topic: string) =>
    rig.code('content.prompt', { id: null, server: 'notes', name: 'review', values: { topic } });
  const fill = (day: string) =>
    rig.code('content.fill', { server: 'notes', uriTemplate: 'note://by-day/{day}', values: { day } });
  // The control: as if all of it had been typed.
  expect(await complete('po')).toEqual(['politely', 'pointedly']);
  expect(await prompt('what was read here')).toBe('ok');
  expect(await fill('what-was-read')).toBe('ok');

  rig.writing = typed('po tea');
  expect(await complete('po')).toEqual(['politely', 'pointedly']);
  expect(await complete('pl')).toEqual([]);
  expect(await complete('po', { topic: 'what was read here' })).toEqual([]);
  expect(await complete('po', { topic: 'politely' })).toEqual(['politely', 'pointedly']);
  expect(await prompt('tea')).toBe('ok');
  expect(await prompt('politely')).toBe('ok');
  // The end of a word that was typed or taken may have been deleted.
  expect(await complete('p')).toEqual(['plainly', 'politely', 'pointedly']);
  expect(await prompt('polite')).toBe('ok');
  expect(await prompt('olitely')).toBe('not_written');
  expect(await prompt('tea and what was read here')).toBe('not_written');
  // What one server offered may be what it holds: another is not told.
  const toArchive = { id: null, server: 'archive', name: 'review', values: { topic: 'politely' } };
  expect(await rig.code('content.prompt', toArchive)).toBe('not_written');
  expect(await fill('what-was-read')).toBe('not_written');
  expect(await rig.code('content.fill', { server: 'notes', uriTemplate: 'https://evil.example/{x}', values: {} })).toBe(
    'unknown_resource',
  );
  rig.hasGesture = false;
  expect(await prompt('tea')).toBe('no_gesture');
});

test('a template is filled in and then attached', async () => {
  const rig = await windowWithServers({ isReviewed: true });
  const values = { day: '../../today' };
  const { uri } = await rig.request<{ uri: string }>('content.fill', {
    server: 'notes',
    uriTemplate: 'note://by-day/{day}',
    values,
  });
  expect(uri).toBe('note://by-day/..%2F..%2Ftoday');
  const attachments = [resource('notes', uri)];
  const { id } = await rig.request<{ id: string }>('conversations.send', { id: null, text: '', attachments });
  await rig.turnEnded(id);
  expect(messageOf(rig, id)).toMatchObject({ attachments: [{ text: 'Day ..%2F..%2Ftoday' }] });
});

test('what a server says different of itself is held back with the words that changed', async () => {
  const replaced = join(mkdtempSync(join(tmpdir(), 'mcp-replaced-')), 'instructions');
  const entry = { command: process.execPath, args: [CONTENT_SERVER, 'notes', replaced] };
  const first = new WindowRig({ config: { mcpServers: { notes: entry }, model: 'guide' } });
  const confirming = first.request('settings.confirmPending');
  for (let questions = 0; questions < 2; questions++) await first.answer({ answer: 'once' });
  await confirming;
  await first.close();
  writeFileSync(replaced, 'Use notes unkindly.');
  const rig = new WindowRig({ like: first });
  await vi.waitFor(async () => {
    expect((await rig.request<{ unreviewedServers: unknown }>('settings.get')).unreviewedServers).toEqual(['notes']);
  }, SOON);
  const reviewing = rig.request('settings.confirmPending');
  const card = await rig.card();
  expect(JSON.stringify(card)).toContain('unkindly');
  await rig.answer({ answer: 'once' }, card);
  await reviewing;
});
