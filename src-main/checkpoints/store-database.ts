import { chmodSync } from 'node:fs';
import { openWritable, type WritableDatabase } from '../storage/database/connection.ts';

/**
 * `contents`: what files contained, by SHA-256; `bytes` is null if they are in a file of their own. `commands`: what
 * ran in a root; `through` is null until it has ended. `observed`: each change that was noticed in a root, numbered by
 * the look (`look`) that noticed it. `changes`: what one command changed, from its first look to its last. `operations`
 * and `steps`: an undo or redo, written before its first step. States are JSON (`EntryState`).
 */
const SCHEMA = `
  CREATE TABLE contents (
    digest TEXT PRIMARY KEY, size INTEGER NOT NULL, bytes BLOB, kept_at TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE looks (look INTEGER PRIMARY KEY AUTOINCREMENT, root TEXT NOT NULL, at TEXT NOT NULL);
  CREATE TABLE observed (
    look INTEGER NOT NULL, root TEXT NOT NULL, path TEXT NOT NULL, before TEXT NOT NULL, after TEXT NOT NULL,
    PRIMARY KEY (root, look, path)) WITHOUT ROWID;
  CREATE TABLE commands (
    num INTEGER PRIMARY KEY AUTOINCREMENT, conversation TEXT NOT NULL, turn TEXT NOT NULL, call TEXT NOT NULL,
    root TEXT NOT NULL, look INTEGER NOT NULL, through INTEGER, pid INTEGER NOT NULL,
    started_at TEXT NOT NULL);
  CREATE INDEX commands_by_call ON commands (conversation, call);
  CREATE TABLE changes (
    command INTEGER NOT NULL REFERENCES commands ON DELETE CASCADE, path TEXT NOT NULL, before TEXT NOT NULL,
    after TEXT NOT NULL, is_undone INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (command, path)) WITHOUT ROWID;
  CREATE TABLE operations (
    num INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, conversation TEXT NOT NULL, calls TEXT NOT NULL,
    tools TEXT NOT NULL DEFAULT '[]',
    state TEXT NOT NULL, at TEXT NOT NULL);
  CREATE TABLE steps (
    operation INTEGER NOT NULL REFERENCES operations ON DELETE CASCADE, path TEXT NOT NULL, before TEXT NOT NULL,
    after TEXT NOT NULL, PRIMARY KEY (operation, path)) WITHOUT ROWID;
`;

/** What these commands deleted is kept for 30 days, whatever the limits say. */
const MASS_DELETIONS = `
  CREATE TABLE mass_deletions (command INTEGER PRIMARY KEY REFERENCES commands ON DELETE CASCADE);
`;

/** What makes a store of each version one of the next. */
const STEPS = [SCHEMA, MASS_DELETIONS];

/** Opens the store, and makes it if it is missing. Any number of processes may have it open. */
export function openStore(file: string): WritableDatabase {
  const store = openWritable(file);
  // It contains what secret files contained.
  chmodSync(file, 0o600);
  store.prepareForWriting();
  if (Number(store.pragma('user_version')) < STEPS.length)
    store.transaction(() => {
      // Another process may have made it meanwhile.
      const missing = STEPS.slice(Number(store.pragma('user_version')));
      store.database.exec(`${missing.join('')} PRAGMA user_version = ${STEPS.length}`);
    });
  return store;
}
