import { FakeHost, IDE } from '../../fixtures/client-host.ts';
import { ClientRig } from './client-rig.ts';

/**
 * A turn whose client never answers, for a test that kills the process: `client-child.ts BASE URL CONVERSATION`. Says
 * when it waits.
 */
const [base = '', url = '', conversation = ''] = process.argv.slice(2);

const rig = await ClientRig.inProcess(base, url, conversation);
const host = new FakeHost(() => {
  process.stdout.write('waiting\n');
  return undefined;
});
await host.register(rig.clients, { clientToolGroups: [{ ...IDE, startCollapsed: false }] });
await rig.turn();
