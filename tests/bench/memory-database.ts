import { cpSync, existsSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MIGRATIONS, newestSchema } from '../../src-main/storage/database/schema.ts';
import { openStorage } from '../../src-main/storage/storage.ts';
import { logUniform, seededRandom } from '../fixtures/random.ts';
import { messageDatabase } from './message-database.ts';
import { MessageTexts } from './message-texts.ts';

/** Part of the folder's name: to be raised with any change of what is generated, or of how it is indexed. */
const VERSION = 1;
export const FACTS = 10_000;
export const MEMORIES = 100_000;
export const MEMORY_SEED = 12;

/** The profile with 100,000 messages, with facts and memories besides; made once and kept in the temporary folder. */
export async function memoryDatabase(): Promise<string> {
  const profile = join(tmpdir(), `steward-bench-memories-${newestSchema(MIGRATIONS)}-${VERSION}`);
  if (existsSync(profile)) return profile;
  const unfinished = `${profile}.${process.pid}`;
  rmSync(unfinished, { recursive: true, force: true });
  cpSync(await messageDatabase(), unfinished, { recursive: true });
  await fill(unfinished);
  renameSync(unfinished, profile);
  return profile;
}

async function fill(directory: string): Promise<void> {
  process.stderr.write('Making the database with 100,000 memories (once)…\n');
  const texts = new MessageTexts(MEMORY_SEED);
  const random = seededRandom(MEMORY_SEED);
  let now = Date.UTC(2026, 0, 1);
  const storage = await openStorage({ directory, now: () => new Date(now) });
  for (let index = 0; index < FACTS; index++) storage.memory.setFact(factKey(index), texts.exchange().question, []);
  for (let index = 0; index < MEMORIES; index++) {
    now += 60_000;
    const { question, answer } = texts.exchange();
    storage.memory.storeMemory(`${index} ${question.slice(0, 100)}`, answer.slice(0, logUniform(20, 800, random)), []);
  }
  await storage.close();
}

export function factKey(index: number): string {
  return `user.preference.${index}`;
}
