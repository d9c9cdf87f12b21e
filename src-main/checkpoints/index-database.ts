import { rmSync } from 'node:fs';
import { openWritable, type WritableDatabase } from '../storage/database/connection.ts';

/**
 * What was in each root at the last look. `is_whole` says that a look has seen all of it. `folder` is relative to the
 * root, empty for the root itself. `changed` is when the entry itself was last changed, in milliseconds since 1970, which
 * no program can set; it is 0 if the entry must be looked at again.
 */
const SCHEMA = `
  CREATE TABLE roots (num INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, is_whole INTEGER NOT NULL DEFAULT 0,
    looked_at TEXT NOT NULL);
  CREATE TABLE entries (
    root INTEGER NOT NULL, folder TEXT NOT NULL, name TEXT NOT NULL, inode TEXT NOT NULL, changed REAL NOT NULL,
    state TEXT NOT NULL, PRIMARY KEY (root, folder, name)) WITHOUT ROWID;
`;
const VERSION = 2;

/** Opens the index. One that is missing, damaged or of another version is made anew: it holds nothing of its own. */
export function openIndex(file: string): WritableDatabase {
  try {
    return prepared(file);
  } catch {
    // Whatever is wrong with it, the next look fills a new one.
    for (const each of [file, `${file}-wal`, `${file}-shm`]) rmSync(each, { force: true });
    return prepared(file);
  }
}

function prepared(file: string): WritableDatabase {
  const index = openWritable(file);
  index.prepareForWriting();
  const version = index.pragma('user_version');
  if (version !== 0 && version !== VERSION) {
    index.close();
    throw new Error(`The index has version ${version}.`);
  }
  if (version === 0)
    index.transaction(() => {
      // Another process may have made it meanwhile.
      if (index.pragma('user_version') === 0) index.database.exec(`${SCHEMA} PRAGMA user_version = ${VERSION}`);
    });
  index.statement('SELECT count(*) FROM roots').get();
  return index;
}
