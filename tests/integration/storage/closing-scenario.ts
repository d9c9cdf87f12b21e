import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStorage } from '../../../src-main/storage/storage.ts';

/** Closes with the worker at work, again and again, each time a little later. Prints one line of JSON. */
const directory = mkdtempSync(join(tmpdir(), 'steward-closing-'));
const TIMES = 60;
const PREPARED = 12;
/** More than the growth of the log after which the worker writes it into the database. */
const LONG_TEXT = 'a long mail body '.repeat(300_000);
let closed = 0;
try {
  for (let time = 0; time < TIMES; time += 1) {
    const storage = await openStorage({ directory });
    const { id } = storage.conversations.create({ workspace: '/work', model: 'guide' });
    await storage.search('mail');
    const searches = Array.from({ length: PREPARED }, () => storage.search('long mail'));
    const ended = Promise.allSettled(searches);
    if (time % 20 === 0) storage.events.appendAll(id, 'turn', [{ type: 'text_delta', text: LONG_TEXT }]);
    await searches[time % PREPARED];
    await storage.close();
    await ended;
    closed += 1;
  }
  process.stdout.write(`${JSON.stringify({ closed })}\n`);
} finally {
  rmSync(directory, { recursive: true, force: true });
}
