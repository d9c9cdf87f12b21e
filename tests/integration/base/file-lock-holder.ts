import { FileLock } from '../../../src-main/base/file-lock.ts';

/** Takes the lock, says so, and holds it until it is ended. */
const lock = new FileLock(process.argv[2] ?? '');
lock.tryExclusive();
process.stdout.write('held\n');
setInterval(() => lock, 60_000);
