import { setTimeout as wait } from 'node:timers/promises';
import { outboxRig, SEND_AGAIN } from '../../fixtures/outbox/outbox-rig.ts';

/**
 * A process with an outbox, for tests that kill it: `outbox-child.ts send|recover PROFILE URL WAIT_SECONDS`. Prints
 * each event of a mail, then what became of the call.
 */
const [command, profile = '', url = '', seconds = '0'] = process.argv.slice(2);

function print(line: unknown): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

const rig = await outboxRig({
  profile,
  url,
  waitSeconds: Number(seconds),
  // The user is still reading when the process is killed.
  answer: async () => (command === 'send' ? wait(3_600_000, SEND_AGAIN) : SEND_AGAIN),
});
rig.outbox.onEvent((event) => {
  if (event.type === 'mail') print({ state: event.state });
});
print({ opened: true });
if (command === 'send')
  print(
    await rig.send().then(
      (id) => ({ id }),
      ({ reason }) => ({ reason }),
    ),
  );
else await rig.outbox.recover(new AbortController().signal);
print({ asked: rig.asked.length, left: rig.storage.outbox.list().length });
await rig.close();
