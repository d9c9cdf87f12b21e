import { z } from 'zod';
import { ownValue } from '../base/json.ts';
import { grouped } from '../base/text.ts';
import { ClientState, EMPTY_STATE } from './client-state.ts';
import type { ClientHost } from './records.ts';

/** `name` is what the client calls itself. */
const KeptClient = z.object({ name: z.string(), state: ClientState });
export type KeptClient = z.infer<typeof KeptClient>;

/** What a conversation keeps of its clients, by `ownerOf`, and which groups of Steward's own tools it opened. */
const ConversationRecord = z.object({
  owners: z.record(z.string(), KeptClient).default({}),
  opened: z.array(z.string()),
});
export type ConversationRecord = z.infer<typeof ConversationRecord>;

export const EMPTY_RECORD: ConversationRecord = { owners: {}, opened: [] };

/** In UTF-16 units. Two messages of a client may have as much. */
const MAX_LENGTH = 16_000_000;

const OWN_CODE = 'steward:';

/**
 * Names the owner of a state. No client can be given the state of Steward's own code or of another pairing, whatever
 * name it gives itself.
 */
export function ownerOf({ name, ownCode, pairing }: Pick<ClientHost, 'name' | 'ownCode' | 'pairing'>): string {
  if (ownCode !== undefined) return `${OWN_CODE}${name}`;
  return pairing === undefined ? `client:${name}` : ownerOfPairing(pairing);
}

export function isOwnCode(owner: string): boolean {
  return owner.startsWith(OWN_CODE);
}

/** SQLite's JSON path to what a paired program has in the text of a record. `pairing` is a UUID. */
export function pathOfPairing(pairing: string): string {
  return `$.owners."${ownerOfPairing(pairing)}"`;
}

function ownerOfPairing(pairing: string): string {
  return `program:${pairing}`;
}

export function stateOf({ owners }: ConversationRecord, owner: string): ClientState {
  return ownValue(owners, owner)?.state ?? EMPTY_STATE;
}

/** The clients in the order of their registration, with Steward's own code first, so that a restart changes nothing. */
export function clientsOf({ owners }: ConversationRecord): readonly (KeptClient & { readonly owner: string })[] {
  const clients = Object.entries(owners).map(([owner, client]) => ({ ...client, owner }));
  const own = clients.filter(({ owner }) => isOwnCode(owner)).toSorted((a, b) => (a.owner < b.owner ? -1 : 1));
  return [...own, ...clients.filter(({ owner }) => !isOwnCode(owner))];
}

/** A client that has nothing is not there. */
export function withClient(record: ConversationRecord, owner: string, client: KeptClient): ConversationRecord {
  if (!isEmpty(client.state)) return { ...record, owners: { ...record.owners, [owner]: client } };
  const { [owner]: _, ...owners } = record.owners;
  return { ...record, owners };
}

/** `record` as it was read, with the groups of Steward's own code that `before` has. */
export function withOwnGroups(record: ConversationRecord, before: ConversationRecord): ConversationRecord {
  let merged = record;
  for (const { owner, name, state } of clientsOf(before)) {
    if (!isOwnCode(owner)) continue;
    const read = stateOf(record, owner);
    const expanded = [...new Set([...read.expanded, ...openFromTheStart(state)])];
    merged = withClient(merged, owner, { name, state: { ...read, groups: state.groups, expanded } });
  }
  return merged;
}

/** The record as text. Undefined if there is nothing to keep. Throws if it is too large to be kept. */
export function recordText(record: ConversationRecord): string | undefined {
  const kept = clientsOf(record).reduce(
    (each, { owner, name, state }) =>
      withClient(each, owner, { name, state: isOwnCode(owner) ? chosen(state) : state }),
    { ...EMPTY_RECORD, opened: record.opened },
  );
  if (kept.opened.length === 0 && Object.keys(kept.owners).length === 0) return undefined;
  const text = JSON.stringify(kept);
  if (text.length > MAX_LENGTH)
    throw new Error(
      `it has ${grouped(text.length)} characters with everything else; at most ${grouped(MAX_LENGTH)} are kept`,
    );
  return text;
}

/** Throws what makes it unusable. */
export function parseRecord(text: string): ConversationRecord {
  return ConversationRecord.parse(JSON.parse(text));
}

/** Groups of Steward's own code are not kept: another version may have others. What the model opened of them is. */
function chosen(state: ClientState): ClientState {
  const open = openFromTheStart(state);
  return { ...state, groups: [], expanded: state.expanded.filter((name) => !open.includes(name)) };
}

function openFromTheStart({ groups, expanded }: ClientState): readonly string[] {
  return groups.flatMap(({ name, startCollapsed }) => (!startCollapsed && expanded.includes(name) ? [name] : []));
}

function isEmpty({ state, ...lists }: ClientState): boolean {
  return state === undefined && Object.values(lists).every((list) => list.length === 0);
}
