import { readFileSync } from 'node:fs';
import type { Transition } from '../../../src-main/checkpoints/entry-state.ts';
import { carryOut } from '../../../src-main/checkpoints/restore/carry-out.ts';
import { recoverOperations } from '../../../src-main/checkpoints/restore/recover.ts';
import { ORIGIN, portsIn } from './restore-ports.ts';

/** `carry-out PROFILE FILE`: carries out the transitions in a file. `recover PROFILE`. Prints what comes of it. */
const [task, profile = '', file = ''] = process.argv.slice(2);
const ports = portsIn(profile);
const transitions = () => JSON.parse(readFileSync(file, 'utf8')) as Transition[];
const result =
  task === 'recover'
    ? recoverOperations(ports)
    : carryOut(transitions(), { ...ports, operation: ORIGIN, allows: () => true });
process.stdout.write(`${JSON.stringify(result)}\n`);
