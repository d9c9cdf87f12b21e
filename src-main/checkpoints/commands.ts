import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  type ChangedPath,
  type FileChanges,
  MAX_LISTED_CHANGES,
  type NotKept,
  type PathChange,
} from '../../src-preload/contract/file-changes.ts';
import { canSignal } from '../base/can-signal.ts';
import { mayHaveChangedSince } from './change-time.ts';
import { changedPaths, type NamedChange } from './changed-paths.ts';
import { isSameEntry, type Transition } from './entry-state.ts';
import { LineCounts } from './line-counts.ts';
import { type LookPlace, look } from './look.ts';
import { type DeletedFiles, massDeletion } from './mass-deletion.ts';
import { markedCommands } from './running-marks.ts';
import { type TransitionRow, transitionOf } from './stored-changes.ts';

/** No command takes so long to begin. */
const MAX_BEGINNING_MS = 24 * 3_600_000;

export interface CommandOrigin {
  readonly conversationId: string;
  readonly turnId: string;
  readonly callId: string;
}

export interface CommandToBegin extends CommandOrigin {
  /** Real paths, none inside another. */
  readonly roots: readonly string[];
}

export interface BegunCommand {
  /** Its numbers, one for each root. */
  readonly nums: readonly number[];
  readonly notKept: readonly NotKept[];
}

/** A file or link that a command wrote, or a folder in which it may have written anything. */
export interface WrittenFile {
  readonly path: string;
  /** The SHA-256 (hex) of what is in it now, or null if it is not known or no file. */
  readonly digest: string | null;
}

export interface EndedCommand {
  readonly changes: Omit<FileChanges, 'id' | 'notKept'>;
  readonly written: readonly WrittenFile[];
  /** What it deleted, if that is so much that it may be a mistake. */
  readonly deleted?: DeletedFiles;
}

/** What a command changed whose process died before it said so. */
export interface RecoveredCommand extends EndedCommand, CommandOrigin {}

/** Looks at the roots, and notes that a command begins. */
export function beginCommand(place: LookPlace, command: CommandToBegin): BegunCommand {
  const { conversationId, turnId, callId, roots } = command;
  const nums: number[] = [];
  const notKept: NotKept[] = [];
  // A granted folder may be on a disk that is not connected.
  for (const root of roots.filter((each) => existsSync(each))) {
    const looked = look(place, root);
    notKept.push(...looked.notKept);
    const { lastInsertRowid } = place.store
      .statement(
        'INSERT INTO commands (conversation, turn, call, root, look, pid, started_at) VALUES (?, ?, ?, ?, ?, ?, ?)',
      )
      .run(conversationId, turnId, callId, root, lastLook(place), process.pid, new Date().toISOString());
    nums.push(Number(lastInsertRowid));
  }
  return { nums, notKept };
}

/** The command did not wait for its beginning to be noted, so nothing can be said of what it changes. */
export function abandonCommand({ store }: LookPlace, nums: readonly number[]): null {
  for (const num of nums) store.statement('DELETE FROM commands WHERE num = ?').run(num);
  return null;
}

/**
 * Forgets the commands that have no mark and whose process died: nothing will end them, and nothing in their roots would
 * be forgotten while they seem to run. A pid may be used again, so that of an old one says nothing.
 */
export function forgetInterrupted(place: LookPlace, profile: string): void {
  const { store } = place;
  const oldest = new Date(Date.now() - MAX_BEGINNING_MS).toISOString();
  const dead = store
    .statement<{ num: number; root: string; pid: number; at: string }>(
      'SELECT num, root, pid, started_at AS at FROM commands WHERE through IS NULL',
    )
    .all()
    .filter(({ pid, at }) => at < oldest || !canSignal(pid));
  // Read last: a process may have set a mark before it died.
  const marked = markedCommands(profile);
  for (const { num, root } of dead.filter((each) => !marked.has(each.num))) {
    store.statement('DELETE FROM commands WHERE num = ?').run(num);
    forgetObserved(place, root);
  }
}

export interface CommandToEnd {
  readonly nums: readonly number[];
  /** Whether `written` has the folders that programs make again if something in them was changed, which takes a while. */
  readonly findsMadeAgain: boolean;
}

/** Looks at the roots again, and keeps what changed since each of these commands began. */
export function endCommand(place: LookPlace, { nums, findsMadeAgain }: CommandToEnd): EndedCommand {
  const commands = nums.flatMap((num) => commandOf(place, num) ?? []);
  const transitions = commands.flatMap((command) => changesUntilNow(place, command));
  return describe(place, commands, transitions, findsMadeAgain);
}

/**
 * The same for a command whose process died. What it kept before that is not changed. Undefined if the command is no
 * longer known.
 */
export function recoverCommand(place: LookPlace, nums: readonly number[]): RecoveredCommand | undefined {
  const commands = nums.flatMap((num) => commandOf(place, num) ?? []);
  const [first] = commands;
  if (first === undefined) return undefined;
  const transitions = commands.flatMap((command) =>
    command.through === null ? changesUntilNow(place, command) : keptChanges(place, command.num),
  );
  const { conversation: conversationId, turn: turnId, call: callId } = first;
  return { ...describe(place, commands, transitions, true), conversationId, turnId, callId };
}

interface CommandRow {
  readonly num: number;
  readonly conversation: string;
  readonly turn: string;
  readonly call: string;
  readonly root: string;
  readonly look: number;
  readonly through: number | null;
  /** ISO 8601. */
  readonly at: string;
}

function commandOf({ store }: LookPlace, num: number): CommandRow | undefined {
  return store
    .statement<CommandRow>(
      'SELECT num, conversation, turn, call, root, look, through, started_at AS at FROM commands WHERE num = ?',
    )
    .get(num);
}

function changesUntilNow(place: LookPlace, command: CommandRow): Transition[] {
  look(place, command.root);
  const transitions = netTransitions(place, command);
  keepChanges(place, command.num, transitions);
  forgetObserved(place, command.root);
  return transitions;
}

function keptChanges({ store }: LookPlace, num: number): Transition[] {
  return store
    .statement<TransitionRow>('SELECT path, before, after FROM changes WHERE command = ? ORDER BY path')
    .all(num)
    .map(transitionOf);
}

function lastLook({ store }: LookPlace): number {
  return store.statement<{ look: number | null }>('SELECT max(look) AS look FROM looks').get()?.look ?? 0;
}

/** From what each path was when the command began to what it is now. */
function netTransitions(place: LookPlace, { root, look }: CommandRow): Transition[] {
  const rows = place.store
    .statement<TransitionRow>(
      'SELECT path, before, after FROM observed WHERE root = ? AND look > ? ORDER BY path, look',
    )
    .iterate(root, look);
  const net: Transition[] = [];
  let path: string | undefined;
  let before = '';
  let after = '';
  const add = () => {
    if (path !== undefined && before !== after) net.push(transitionOf({ path, before, after }));
  };
  for (const row of rows) {
    if (row.path !== path) {
      add();
      ({ path, before } = row);
    }
    ({ after } = row);
  }
  add();
  return net;
}

function keepChanges(place: LookPlace, num: number, transitions: readonly Transition[]): void {
  const { store } = place;
  store.transaction(() => {
    const insert = store.statement('INSERT OR REPLACE INTO changes (command, path, before, after) VALUES (?, ?, ?, ?)');
    for (const { path, from, to } of transitions) insert.run(num, path, JSON.stringify(from), JSON.stringify(to));
    store.statement('UPDATE commands SET through = ? WHERE num = ?').run(lastLook(place), num);
  });
}

/** What no running command still needs. */
function forgetObserved({ store }: LookPlace, root: string): void {
  const running = store
    .statement<{ look: number }>('SELECT look FROM commands WHERE root = ? AND through IS NULL')
    .all(root);
  const oldest = running.length === 0 ? Number.MAX_SAFE_INTEGER : Math.min(...running.map(({ look }) => look));
  store.transaction(() => {
    store.statement('DELETE FROM observed WHERE root = ? AND look <= ?').run(root, oldest);
  });
}

/** What these commands deleted is kept longer. */
export function keepLonger({ store }: LookPlace, nums: readonly number[]): null {
  for (const num of nums)
    store.statement('INSERT OR IGNORE INTO mass_deletions SELECT num FROM commands WHERE num = ?').run(num);
  return null;
}

/** Folders of which nothing is kept, and in which something changed since the command began. */
function changedMadeAgain({ index }: LookPlace, { root, at }: CommandRow): readonly string[] {
  const began = BigInt(Date.parse(at)) * 1_000_000n;
  return index
    .statement<{ folder: string; name: string }>(
      `SELECT folder, name FROM entries JOIN roots ON roots.num = entries.root
       WHERE roots.path = ? AND state LIKE '%"madeAgain"%'`,
    )
    .all(root)
    .map(({ folder, name }) => join(root, folder, name))
    .filter((folder) => mayHaveChangedSince(folder, began));
}

function describe(
  place: LookPlace,
  commands: readonly CommandRow[],
  transitions: readonly Transition[],
  findsMadeAgain: boolean,
): EndedCommand {
  const { contents } = place;
  const named = changedPaths(transitions, (digest) => contents.has(digest));
  const numberOf = (change: PathChange) => named.filter(({ changed }) => changed.change === change).length;
  const counts = {
    made: numberOf('made'),
    changed: numberOf('changed'),
    deleted: numberOf('deleted'),
    renamed: numberOf('renamed'),
    mode: numberOf('mode'),
  };
  const lines = new LineCounts(contents);
  const files = named.slice(0, MAX_LISTED_CHANGES).map((each) => withLines(each, lines));
  const written = named.flatMap(({ transition: { path, from, to } }) =>
    to.kind === 'absent' || to.kind === 'folder' || isSameEntry(from, to)
      ? []
      : [{ path, digest: to.kind === 'file' ? to.digest : null }],
  );
  const madeAgain = findsMadeAgain ? commands.flatMap((command) => changedMadeAgain(place, command)) : [];
  const roots = commands.map(({ root }) => root);
  const deleted = massDeletion(place, roots, named);
  return {
    changes: { files, counts },
    written: [...written, ...madeAgain.map((path) => ({ path, digest: null }))],
    ...(deleted === undefined ? {} : { deleted }),
  };
}

function withLines({ transition, changed }: NamedChange, lines: LineCounts): ChangedPath {
  if (changed.change === 'renamed' || changed.change === 'mode') return changed;
  return { ...changed, ...lines.of(transition) };
}
