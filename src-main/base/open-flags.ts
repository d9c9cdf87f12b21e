import { constants } from 'node:fs';

/**
 * Neither follows a symlink that was put in place since the file was looked at, nor waits for somebody to write into a
 * pipe. Windows has neither flag.
 */
export const NEVER_A_LINK_NOR_A_WAIT = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/**
 * A flag of Linux for a handle that needs no permission of the file or folder. It is not in node:fs; the value is the
 * same on all of Node's platforms.
 */
export const HANDLE_ONLY = 0o10000000;
