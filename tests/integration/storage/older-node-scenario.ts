import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStorage } from '../../../src-main/storage/storage.ts';

/** One pass through everything storage does, for a Node without `node:sqlite`. Prints one line of JSON. */
const directory = mkdtempSync(join(tmpdir(), 'steward-older-node-'));
const notices: string[] = [];
const open = () => openStorage({ directory, onNotice: ({ code }) => notices.push(code) });
try {
  let storage = await open();
  const { id } = storage.conversations.create({ workspace: '/work', model: 'guide' });
  storage.events.appendAll(id, 'turn', [
    { type: 'user_message', content: [{ type: 'text', text: '東京 and Zürich' }] },
  ]);
  storage.events.appendAll(id, 'turn', [{ type: 'text_delta', text: 'an answer' }]);
  storage.events.appendAll(id, 'turn', [{ type: 'block', block: { type: 'text', text: 'an answer' } }]);
  const lease = storage.leases.acquire(id);
  const heldByPid = storage.leases.acquire(id);
  storage.memory.storeMemory('capital of France', 'Paris', [{ kind: 'untrusted', source: 'https://example.org' }]);
  const hits = [...(await storage.search('東')), ...(await storage.search('zurich'))];
  await storage.backups.makeDaily();
  const [copy] = storage.backups.list();
  await storage.backups.restore(copy?.name ?? '');
  const remembered = await storage.memory.searchMemory('France, Zürich', { limit: 5, exceptConversation: null });
  const restored = storage.events.read(id).map(({ type }) => type);
  await storage.close();
  writeFileSync(join(directory, 'steward.db'), 'damaged');
  storage = await open();
  await storage.backups.restore(storage.backups.list()[0]?.name ?? '');
  const repaired = storage.events.read(id).length;
  let unknown: unknown;
  try {
    storage.events.read('nope');
  } catch (error) {
    unknown = (error as { code?: string }).code;
  }
  await storage.close();
  const aside = readdirSync(directory).filter((name) => /damaged-\d+$|before-restore-\d+$/.test(name)).length;
  const hasBuiltin = process.getBuiltinModule?.('node:sqlite' as 'node:fs') !== undefined;
  const leased = 'release' in lease && 'heldByPid' in heldByPid;
  const outcome = { hasBuiltin, hits: hits.length, restored, repaired, unknown, notices, aside, leased };
  const recalled = remembered.map(({ kind, marks }) => `${kind} ${marks.length}`).sort();
  process.stdout.write(`${JSON.stringify({ ...outcome, remembered: recalled })}\n`);
} finally {
  rmSync(directory, { recursive: true, force: true });
}
