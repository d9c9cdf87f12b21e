import { expect, test } from 'vitest';
import type { ShownServer } from '../../../src-preload/contract/servers.ts';
import { PasteStore } from '../../../src-renderer/settings/servers/paste-store.svelte.ts';
import { EMPTY_SERVER, ServerDraft } from '../../../src-renderer/settings/servers/server-form.svelte.ts';
import { ServersStore } from '../../../src-renderer/settings/servers/servers-store.svelte.ts';
import { bridgeOver } from '../../../src-renderer/ui/bridge.ts';
import { toasts } from '../../../src-renderer/ui/toasts.svelte.ts';
import { type Answers, fakeBridge, Refusal } from '../../fixtures/gallery/fake-bridge.ts';
import { serverAnswers } from '../../fixtures/gallery/scenes/servers.ts';

function storeWith(answers: Answers<'app'> = {}) {
  const fake = fakeBridge<'app'>({ ...serverAnswers, ...answers });
  return { ...fake, store: new ServersStore(bridgeOver<'app'>(fake.preload)) };
}

test('a form that nobody touched gives back what filled it', () => {
  const server: ShownServer = {
    ...EMPTY_SERVER,
    name: 'files',
    command: 'npx',
    args: ['-y', '', ' padded '],
    start: 'lazy',
    timeoutSeconds: 90,
    foundId: 'f',
    env: [
      { name: 'TOKEN', value: null, isSecret: true, before: 'Bearer ', after: '' },
      { name: 'EMPTY', value: '', isSecret: false, before: '', after: '' },
    ],
  };
  const { remarks: _, parts: __, ...given } = server;
  expect(new ServerDraft(server).form).toEqual({ ...given, keys: [] });
});

test('a kept value stays until another is typed', () => {
  const draft = new ServerDraft({
    ...EMPTY_SERVER,
    env: [{ name: 'TOKEN', value: null, isSecret: true, before: '', after: '' }],
  });
  const [line] = draft.env;
  if (line === undefined) throw new Error('no line');
  expect(draft.form.env[0]?.value).toBeNull();
  line.value = 'new';
  expect(draft.form.env[0]?.value).toBe('new');
});

test('what is missing is named by its field', () => {
  const draft = new ServerDraft();
  expect(Object.keys(draft.problems)).toEqual(['name', 'reach']);
  Object.assign(draft, { name: 'x', transport: 'http', url: 'https://x.example', timeout: 'soon' });
  expect(Object.keys(draft.problems)).toEqual(['timeout']);
  draft.timeout = '1.5';
  expect(draft.problems).toEqual({});
});

test('the list and the open page follow main', async () => {
  const { store, emit } = storeWith();
  const stop = store.start();
  await store.open('everything');
  expect(store.page?.tools.length).toBeGreaterThan(0);
  const [row] = store.rows ?? [];
  if (row === undefined) throw new Error('no row');
  const usage = { memoryBytes: 1, cpuPercent: 2 };
  emit('servers', { rows: [{ ...row, usage }] });
  expect(store.rows).toHaveLength(1);
  expect(store.page?.row.usage).toEqual(usage);
  stop();
  emit('servers', { rows: [] });
  expect(store.rows).toHaveLength(1);
});

test('a removal can be undone from its message, and a failed undo says why', async () => {
  const undone: string[] = [];
  let isTooLate = false;
  const { store } = storeWith({
    'servers.remove': { undoId: 'u' },
    'servers.undoRemoval': ({ undoId }) => {
      if (isTooLate) throw new Refusal('undo_expired', 'Too late.');
      undone.push(undoId);
      return [];
    },
  });
  await store.remove('everything');
  toasts.shown.at(-1)?.action?.run();
  await expect.poll(() => undone).toEqual(['u']);
  isTooLate = true;
  await store.remove('everything');
  toasts.shown.at(-1)?.action?.run();
  await expect.poll(() => toasts.shown.at(-1)).toMatchObject({ kind: 'error', text: 'Too late.' });
});

test('a change that was declined is no error, and stands beside what was changed', async () => {
  const { store } = storeWith({
    'servers.setEnabled': () => {
      throw new Refusal('not_confirmed', 'You did not confirm it.');
    },
  });
  expect(await store.setEnabled('everything', true)).toBe(false);
  expect(store.refusalOf('enable:everything')).toMatchObject({ isOwnChoice: true });
  expect(store.refusalOf('enable:other')).toBeNull();
});

test('of several pasted servers, the next one follows the one that was added', async () => {
  const [first, second, third] = ['a', 'b', 'c'].map((name) => ({ ...EMPTY_SERVER, name }));
  if (!first || !second || !third) throw new Error('there are three');
  const { preload } = fakeBridge<'app'>({
    'servers.readPasted': {
      servers: [first, second, third],
      unread: [],
      chosen: 0,
      setups: [{ title: null, format: 'json', servers: [first, second, third], unread: [] }],
    },
  });
  const paste = new PasteStore(bridgeOver<'app'>(preload));
  await paste.read();
  expect(paste.after(first, ['a'])?.name).toBe('b');
  // It was saved under another name.
  expect(paste.after(second, ['a', 'b-2'])?.name).toBe('c');
  expect(paste.after(third, ['a', 'b-2', 'c'])).toBeUndefined();
});

test('a text that is longer than any set-up is refused without being sent', async () => {
  const { preload } = fakeBridge<'app'>({
    'servers.readPasted': () => {
      throw new Error('it was sent');
    },
  });
  const paste = new PasteStore(bridgeOver<'app'>(preload));
  paste.text = 'x'.repeat(10_000_000);
  await paste.read();
  expect(paste.failure).toMatch(/too long/);
  paste.edited();
  expect(paste.failure).toBeNull();
});
