import { once } from 'node:events';
import { FakeHost, groupWith } from '../../fixtures/client-host.ts';
import { ClientRig } from './client-rig.ts';

/**
 * Registers one group after the other as soon as it is told to, while others do: `registering-child.ts BASE URL
 * CONVERSATION NAME COUNT`.
 */
const [base = '', url = '', conversation = '', name = '', count = '0'] = process.argv.slice(2);

const rig = await ClientRig.inProcess(base, url, conversation);
const host = new FakeHost(undefined, { name });
process.stdout.write('ready\n');
await once(process.stdin, 'data');
for (let index = 0; index < Number(count); index++)
  await host.register(rig.clients, { clientToolGroups: [groupWith(`${name}${index}`, [`${name}_tool_${index}`])] });
await rig.pause();
process.exit(0);
