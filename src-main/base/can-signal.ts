import { systemCode } from './errors.ts';

/** Whether there is a process with this pid, whoever's it is. */
export function canSignal(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return systemCode(error) === 'EPERM';
  }
}
