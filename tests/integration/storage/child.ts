import { createInterface } from 'node:readline';
import { openStorage } from '../../../src-main/storage/storage.ts';
import type { ConversationEvent } from '../../../src-preload/contract/events.ts';

/**
 * A process that uses a profile, for tests: `child.ts COMMAND PROFILE [CONVERSATION]`. One line of JSON per step,
 * written at once, so that what was printed is known even if the process is killed right after.
 */
const [command, directory = '', conversationId = ''] = process.argv.slice(2);

/** To a pipe this waits until it is written (https://nodejs.org/api/process.html#a-note-on-process-io). */
function print(line: unknown): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

const commands: Record<string, () => Promise<void>> = {
  /** Appends until it is killed (or the disk is full); prints each event after it was committed. */
  async write() {
    const storage = await openStorage({ directory, onNotice: (notice) => print({ notice }) });
    const { id } = storage.conversations.create({ workspace: '/work', model: 'guide' });
    const put = (event: ConversationEvent) => {
      const [stored] = storage.events.appendAll(id, 'turn', [event]);
      print({ id, seq: stored?.seq, type: event.type });
    };
    for (let round = 0; ; round++) {
      put({ type: 'user_message', content: [{ type: 'text', text: `question ${round} 質問` }] });
      for (const text of ['an ', 'answer ', 'x'.repeat(3000)]) put({ type: 'text_delta', text });
      put({ type: 'block', block: { type: 'text', text: `an answer ${'x'.repeat(3000)}` } });
      if (round % 50 === 0) void storage.backups.makeDaily();
    }
  },

  /** Opens, adds one conversation, says so, and stays until its stdin ends. */
  async open() {
    const storage = await openStorage({ directory, onNotice: (notice) => print({ notice }) });
    const { id } = storage.conversations.create({ workspace: '/work', model: 'guide' });
    storage.events.appendAll(id, 'turn', [{ type: 'notice', code: 'x', message: 'y' }]);
    print({ opened: id });
    for await (const _ of createInterface(process.stdin));
    await storage.close();
  },

  async lease() {
    const storage = await openStorage({ directory });
    print(storage.leases.acquire(conversationId));
    for await (const _ of createInterface(process.stdin));
  },

  async daily() {
    const storage = await openStorage({ directory, onNotice: (notice) => print({ notice }) });
    await storage.backups.makeDaily();
    print({ done: true });
    await storage.close();
  },

  /** Opens, writes as much as makes a checkpoint, and closes, each time a little later after it. */
  async 'close-often'() {
    for (let round = 1; round <= 12; round += 1) {
      const storage = await openStorage({ directory });
      const { id } = storage.conversations.create({ workspace: '/work', model: 'guide' });
      for (let count = 0; count < 2_000; count += 1)
        storage.events.appendAll(id, 'turn', [{ type: 'text_delta', text: 'x' }]);
      await new Promise((resolve) => setTimeout(resolve, round * 7));
      await storage.close();
      print({ closed: round });
    }
  },

  /** Searches once and leaves without closing: the worker must not keep the process alive. */
  async search() {
    const storage = await openStorage({ directory });
    print(await storage.search('question'));
  },
};

try {
  await commands[command ?? '']?.();
} catch (error) {
  const { code, message } = error as { code?: string; message: string };
  print({ code, message });
  process.exitCode = 1;
}
