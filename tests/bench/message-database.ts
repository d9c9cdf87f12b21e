import { existsSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MIGRATIONS, newestSchema } from '../../src-main/storage/database/schema.ts';
import { openStorage } from '../../src-main/storage/storage.ts';
import type { ConversationEvent } from '../../src-preload/contract/events.ts';
import { MessageTexts } from './message-texts.ts';

/** Part of the folder's name: to be raised with any change of what is generated, or of how it is indexed. */
const VERSION = 1;
export const MESSAGES = 100_000;
const EXCHANGES_PER_CONVERSATION = 25;
export const SEED = 11;

/** A profile with 100,000 messages, made once through storage itself and kept in the temporary folder. */
export async function messageDatabase(): Promise<string> {
  const profile = join(tmpdir(), `steward-bench-messages-${newestSchema(MIGRATIONS)}-${VERSION}`);
  if (existsSync(profile)) return profile;
  const unfinished = `${profile}.${process.pid}`;
  rmSync(unfinished, { recursive: true, force: true });
  await fill(unfinished);
  renameSync(unfinished, profile);
  return profile;
}

async function fill(directory: string): Promise<void> {
  process.stderr.write('Making the database with 100,000 messages (once)…\n');
  const texts = new MessageTexts(SEED);
  const storage = await openStorage({ directory });
  for (let messages = 0; messages < MESSAGES; messages += 2 * EXCHANGES_PER_CONVERSATION) {
    const exchanges = Array.from({ length: EXCHANGES_PER_CONVERSATION }, () => texts.exchange());
    const title = exchanges[0]?.question.slice(0, 60) ?? '';
    const { id } = storage.conversations.create({ workspace: directory, model: 'bench', title });
    storage.events.appendAll(id, 'turn', exchanges.flatMap(eventsOf));
  }
  await storage.close();
}

/** What a turn without tools leaves. */
function eventsOf({ question, answer }: { question: string; answer: string }): ConversationEvent[] {
  return [
    { type: 'user_message', content: [{ type: 'text', text: question }] },
    { type: 'round_start', model: 'bench' },
    { type: 'block', block: { type: 'text', text: answer } },
    { type: 'usage', model: 'bench', input: 1_000, output: 200, cacheRead: 0, cacheWrite: 0 },
    { type: 'round_end', stopReason: 'end_turn' },
    { type: 'turn_end', stopReason: 'end_turn' },
  ];
}
