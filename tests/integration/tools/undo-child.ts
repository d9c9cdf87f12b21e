import fsPromises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { flagConsent } from '../../../src-main/headless/flag-consent.ts';
import { startServices } from '../../../src-main/services.ts';

/**
 * A process that runs one tool and kills itself at one point of it, for tests:
 * `undo-child.ts POINT PROFILE WORKSPACE CONVERSATION TOOL INPUT`.
 */
const [point = '', profileDirectory = '', workspace = '', conversationId = '', name = '', input = ''] =
  process.argv.slice(2);

function die(): never {
  process.kill(process.pid, 'SIGKILL');
  // The signal takes a moment to arrive, and nothing may happen in it.
  for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_000);
}

const services = await startServices({
  profileDirectory,
  workspace,
  launchDirectory: workspace,
  env: { HOME: workspace },
  consent: flagConsent('all'),
  signal: new AbortController().signal,
});
const { beforeImages } = services.storage;

/** What is put around the steps of a change. */
const points: Record<string, () => void> = {
  'before the image': () => Object.assign(beforeImages, { add: die }),
  'after the image': () => {
    const { add } = beforeImages;
    Object.assign(beforeImages, {
      add: (...args: Parameters<typeof add>) => {
        add(...args);
        die();
      },
    });
  },
  'after the rename': () => {
    const { rename } = fsPromises;
    fsPromises.rename = async (...args) => {
      await rename(...args);
      die();
    };
    syncBuiltinESMExports();
  },
  'in the middle of appending': () => {
    const { open } = fsPromises;
    fsPromises.open = async (...args) => {
      const handle = await open(...args);
      handle.appendFile = async (data) => {
        await handle.write(Buffer.from(data as Uint8Array).subarray(0, 3));
        die();
      };
      return handle;
    };
    syncBuiltinESMExports();
  },
  'before the result': () => {
    const { appendAll } = services.storage.events;
    Object.assign(services.storage.events, {
      appendAll: (...args: Parameters<typeof appendAll>) =>
        args[2].some(({ type }) => type === 'tool_result') ? die() : appendAll(...args),
    });
  },
};

points[point]?.();
const turn = await services.openPrompt({
  command: { kind: 'tool', name, input },
  message: { content: [] },
  origin: { by: 'button' },
  conversation: services.storage.conversations.get(conversationId) ?? null,
  title: 'undo',
  model: undefined,
});
await turn.run({ signal: new AbortController().signal, listener: () => undefined });
await services.close();
