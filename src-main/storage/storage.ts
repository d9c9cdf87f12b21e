import { type Backups, createBackups } from './backups/backups.ts';
import { type Conversations, createConversations } from './conversations/conversations.ts';
import { createEventLog, type EventLog } from './conversations/event-log.ts';
import { exportJson, exportMarkdown } from './conversations/export.ts';
import { createLeases, type Leases } from './conversations/leases.ts';
import { createTrash, type Trash } from './conversations/trash.ts';
import { BYTES_PER_APPEND, Checkpoints } from './database/checkpoints.ts';
import type { DatabaseContext } from './database/database.ts';
import type { Migration } from './database/migrations/migration.ts';
import { openDatabase } from './database/open-database.ts';
import { openProfileFolder } from './database/profile-folder.ts';
import type { StorageNotice } from './database/repair.ts';
import { MIGRATIONS } from './database/schema.ts';
import { damageIn, StorageError } from './database/storage-error.ts';
import { type AccountNotes, createAccountNotes } from './records/account-notes.ts';
import { type BeforeImages, createBeforeImages } from './records/before-images.ts';
import { type ClientStates, createClientStates } from './records/client-states.ts';
import { type Confirmations, createConfirmations } from './records/confirmations.ts';
import { createKnownServers, type KnownServers } from './records/known-servers.ts';
import { createMcpDefinitions, type McpDefinitions } from './records/mcp-definitions.ts';
import { createMemory, type Memory } from './records/memory.ts';
import { createOutbox, type OutboxRecords } from './records/outbox.ts';
import { createPairedPrograms, type PairedPrograms } from './records/paired-programs.ts';
import { createRules, type Rules } from './records/rules.ts';
import { createServerNotes, type ServerNotes } from './records/server-notes.ts';
import { createUnreviewedFiles, type UnreviewedFiles } from './records/unreviewed-files.ts';
import { createUsageTotals, type UsageTotals } from './records/usage-totals.ts';
import type { ConversationHit } from './search/conversation-hits.ts';
import type { SearchHit } from './search/search-query.ts';
import { StorageWorkerClient } from './worker/storage-worker-client.ts';

export interface StorageOptions {
  /** The profile folder; it is created if needed. */
  readonly directory: string;
  /** The clock for timestamps and the names of backups. No order depends on it. */
  readonly now?: () => Date;
  /** Receives `database_damaged`, `database_missing`, `backup_failed`, `event_unreadable`. */
  readonly onNotice?: (notice: StorageNotice) => void;
  /** The migrations; for tests. */
  readonly migrations?: readonly Migration[];
}

/** `Matcher` is what rules match on, which the policy room defines. All methods throw `StorageError`. */
export interface Storage<Matcher = unknown> {
  readonly conversations: Conversations;
  readonly trash: Trash;
  readonly events: EventLog;
  readonly rules: Rules<Matcher>;
  readonly confirmations: Confirmations;
  readonly memory: Memory;
  readonly beforeImages: BeforeImages;
  readonly unreviewedFiles: UnreviewedFiles;
  readonly knownServers: KnownServers;
  readonly serverNotes: ServerNotes;
  readonly mcpDefinitions: McpDefinitions;
  readonly accountNotes: AccountNotes;
  readonly outbox: OutboxRecords;
  readonly usage: UsageTotals;
  readonly clientStates: ClientStates;
  readonly pairedPrograms: PairedPrograms;
  readonly leases: Pick<Leases, 'acquire'>;
  readonly backups: Omit<Backups, 'settle'>;
  /**
   * Finds messages and titles that contain all of these words, newest first; 20 by default. Runs in a worker thread.
   */
  search(query: string, options?: { limit?: number; conversationId?: string }): Promise<SearchHit[]>;
  /** Each conversation once. Runs in a worker thread. */
  searchConversations(query: string, options: { limit: number }): Promise<ConversationHit[]>;
  exportMarkdown(conversationId: string): string;
  exportJson(conversationId: string): string;
  /** Waits for a backup in progress, ends the search worker, releases leases. */
  close(): Promise<void>;
}

const DEFAULT_LIMIT = 20;

/** Opens a profile's storage; any number of processes may have it open. Rejects with `StorageError`. */
export async function openStorage<Matcher = unknown>(options: StorageOptions): Promise<Storage<Matcher>> {
  const files = openProfileFolder(options.directory);
  const context: DatabaseContext = {
    now: options.now ?? (() => new Date()),
    notice: options.onNotice ?? (() => undefined),
    migrations: options.migrations ?? MIGRATIONS,
  };
  const database = await openDatabase(files, context);
  const conversations = createConversations(database);
  const worker = new StorageWorkerClient();
  const checkpoints = new Checkpoints(() => worker.checkpoint({ directory: files.directory, file: files.database }));
  const events = createEventLog(database, (appends) => checkpoints.logGrew(appends));
  const leases = createLeases(files);
  const backups = createBackups(database, context);

  /** Damage that the worker finds is repaired, and the request is repeated. */
  async function inWorker<T>(ask: () => Promise<T>): Promise<T> {
    try {
      return await ask();
    } catch (error) {
      const damage = damageIn(error);
      if (damage === undefined) throw error;
      database.repair(damage);
      return ask();
    }
  }

  function whole(conversationId: string) {
    const conversation = conversations.get(conversationId);
    if (conversation) return { conversation, events: events.read(conversationId) };
    throw new StorageError('conversation_unknown', `There is no conversation ${conversationId} in ${files.directory}.`);
  }

  return {
    conversations,
    trash: createTrash(database, leases),
    events,
    rules: createRules<Matcher>(database),
    confirmations: createConfirmations(database),
    memory: createMemory(database, {
      onGrowth: () => checkpoints.logGrew(),
      search: (query, options) => {
        const request = { directory: files.directory, file: files.database, query, nowMs: context.now().getTime() };
        return inWorker(() => worker.searchMemory({ ...request, ...options }));
      },
    }),
    beforeImages: createBeforeImages(database, (bytes) => checkpoints.logGrew(Math.ceil(bytes / BYTES_PER_APPEND))),
    unreviewedFiles: createUnreviewedFiles(database),
    knownServers: createKnownServers(database),
    serverNotes: createServerNotes(database),
    mcpDefinitions: createMcpDefinitions(database),
    accountNotes: createAccountNotes(database),
    outbox: createOutbox(database),
    usage: createUsageTotals(database),
    clientStates: createClientStates(database),
    pairedPrograms: createPairedPrograms(database),
    leases,
    backups,

    search: (query, { limit = DEFAULT_LIMIT, conversationId = null } = {}) => {
      const request = { directory: files.directory, file: files.database, query, limit, conversationId };
      return inWorker(() => worker.search(request));
    },

    searchConversations: (query, { limit }) => {
      const request = { directory: files.directory, file: files.database, query, limit };
      return inWorker(() => worker.searchConversations(request));
    },

    exportMarkdown: (conversationId) => exportMarkdown(whole(conversationId)),
    exportJson: (conversationId) => exportJson({ ...whole(conversationId), exportedAt: context.now() }),

    close: async () => {
      await backups.settle();
      await worker.close();
      leases.close();
      database.close();
    },
  };
}
