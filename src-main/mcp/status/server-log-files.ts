import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { ServerLogEntry } from '../../../src-preload/contract/server-diagnostics.ts';
import { RotatedFile } from '../../base/rotated-file.ts';
import { visible } from '../../base/text.ts';
import type { ServerLog } from './server-log.ts';

const MAX_BYTES = 500_000;
const OLDER = 1;

/** Protocol messages hold what the user and the model said; what a server prints is its own. */
const KEPT: ReadonlySet<ServerLogEntry['kind']> = new Set(['stderr', 'stray', 'skipped', 'message', 'state']);

/** Keeps the logs of servers in files, so that one can read why a server ended after it is gone, and Steward too. */
export class ServerLogFiles {
  readonly #folder: string;
  readonly #files = new Map<string, RotatedFile>();

  /** `folder` is absolute; it is made when the first line is written. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Secrets were removed from its entries. */
  follow(server: string, log: Pick<ServerLog, 'onEntry'>): void {
    const file = this.#fileOf(server);
    log.onEntry(({ at, kind, text }) => {
      if (!KEPT.has(kind)) return;
      const line = visible(text.split(/(?<!\s)\s*[\r\n]\s*/).join(' '));
      file.append(`${new Date(at).toISOString()} ${kind} ${line}`);
    });
  }

  /** Writes what is left. Call it before the process ends. */
  flush(): void {
    for (const file of this.#files.values()) file.flush();
  }

  #fileOf(server: string): RotatedFile {
    const known = this.#files.get(server);
    if (known !== undefined) return known;
    const path = join(this.#folder, `${fileNameOf(server)}.log`);
    const file = new RotatedFile({ path, maxBytes: MAX_BYTES, older: OLDER });
    this.#files.set(server, file);
    return file;
  }
}

/** Names that Windows keeps for itself, with any ending. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)$/;

/** Two servers never share one, also where names differ only in case or in characters that files can't have. */
function fileNameOf(server: string): string {
  if (/^[a-z0-9][a-z0-9-]{0,59}$/.test(server) && !DEVICE.test(server)) return server;
  const readable = server
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 40);
  return `${readable}_${createHash('sha256').update(server).digest('hex').slice(0, 8)}`;
}
