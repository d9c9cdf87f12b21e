import { z } from 'zod';
import { request } from './route.ts';
import type { DoctorAdvice } from './server-doctor.ts';
import type { UnconfirmedValue } from './settings.ts';
import { ToolClass } from './tool-class.ts';

/** Whose text a server brings. */
export const ServerText = z.enum(['outside', 'public', 'own']);
export type ServerText = z.infer<typeof ServerText>;

export type ServerTransport = 'stdio' | 'http' | 'sse' | 'bundled';

/** Why a server is not connected: the code of its `ServerProblem`, the sentence without values of secrets, and what to do about it. */
export interface ShownServerProblem {
  readonly code: string;
  readonly text: string;
  readonly advice: readonly DoctorAdvice[];
}

/**
 * What a server is doing. `off`: not started. `failed` with `retryAt` (milliseconds since 1970): it is tried again then. `unconfirmed`:
 * new in config.json or changed there, and without effect until a person confirms it. `invalid`: its entry has a mistake.
 */
export type ShownServerState =
  | { readonly name: 'off' | 'starting' | 'ready' | 'needs-sign-in' | 'stopping' | 'unconfirmed' }
  | { readonly name: 'failed'; readonly problem: ShownServerProblem; readonly retryAt: number | null }
  | { readonly name: 'invalid'; readonly messages: readonly string[] };

/** Of the child and everything that it started. */
export interface ServerUsage {
  readonly memoryBytes: number;
  /** Of one processor, since the last look; `null`: it was only looked at once. */
  readonly cpuPercent: number | null;
}

export interface ServerRow {
  readonly name: string;
  /** `null`: its entry does not say. */
  readonly transport: ServerTransport | null;
  /** The command line or the URL. */
  readonly reachedBy: string;
  readonly isEnabled: boolean;
  readonly state: ShownServerState;
  /** Tools that it listed last; `null`: it was never asked. */
  readonly tools: number | null;
  /** Of these, and its instructions, what nobody has reviewed. */
  readonly unreviewed: number;
  readonly pid: number | null;
  /** `null`: there is no child, or nobody watches. */
  readonly usage: ServerUsage | null;
}

/** A value of a server's environment or headers. */
export interface ShownValue {
  readonly name: string;
  /** `null`: it is kept in main, because it is or may be a secret. */
  readonly value: string | null;
  /** It is a keychain entry, or should become one. */
  readonly isSecret: boolean;
  /** Of a secret: what stands around it, as in `Bearer …`. */
  readonly before: string;
  readonly after: string;
}

/** A server as the form shows it. */
export interface ShownServer {
  readonly name: string;
  readonly transport: Exclude<ServerTransport, 'bundled'>;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: readonly ShownValue[];
  readonly url: string;
  readonly headers: readonly ShownValue[];
  readonly start: 'eager' | 'lazy';
  readonly timeoutSeconds: number | null;
  /** Where main keeps the values that are `null`; `null`: in config.json and in the keychain. */
  readonly foundId: string | null;
  /** What could not be taken over. */
  readonly remarks: readonly ServerRemark[];
}

/** `approval`: "always allow" of another program is not taken over. `input_in_argument`: arguments can't hold a keychain value. */
export type ServerRemark =
  | { readonly code: 'approval' | 'disabled' }
  | { readonly code: 'input_in_argument'; readonly input: string }
  | { readonly code: 'left_out'; readonly key: string };

/** Why a pasted text or a file holds no server. Positions are 1-based. */
export type PasteProblem =
  | { readonly code: 'empty' | 'not_an_object' | 'no_servers' | 'unclosed_quote' | 'bad_link' | 'unknown_link' }
  | { readonly code: 'bad_json'; readonly line: number; readonly column: number; readonly reason: string }
  | { readonly code: 'bad_server'; readonly name: string };

export type PasteResult = { readonly servers: readonly ShownServer[] } | { readonly problem: PasteProblem };

export type OtherProgram = 'claude-desktop' | 'cursor' | 'vscode' | 'cline';

/** What another program has configured. */
export interface FoundServers {
  readonly program: OtherProgram;
  readonly path: string;
  readonly result: PasteResult;
}

export const TemplateId = z.enum(['whatsapp', 'interview-assist']);
export type TemplateId = z.infer<typeof TemplateId>;

/** Something that a template's server needs. `port`: the address of the bridge. */
export interface Prerequisite {
  readonly id: 'uv' | 'go' | 'gcc' | 'ffmpeg' | 'dotnet-sdk' | 'python' | 'folder' | 'port-8080';
  readonly isMet: boolean;
  /** Without it only a part does not work. */
  readonly isOptional: boolean;
  /** Where it was found; for a port, the addresses at which it is open. */
  readonly found: readonly string[];
}

export interface TemplateCheck {
  readonly prerequisites: readonly Prerequisite[];
  /** The port is open at an address that other machines may reach. */
  readonly isPortExposed: boolean;
  readonly server: ShownServer;
}

export interface ServerToolRow {
  /** As the server names it. */
  readonly name: string;
  readonly title: string | null;
  readonly description: string;
  /** `{server}__{tool}`. */
  readonly registered: string;
  readonly review: 'accepted' | 'new' | 'changed';
  /** `null`: it is not offered to the model. */
  readonly isEnabled: boolean | null;
  /** What it is taken for. */
  readonly class: ToolClass;
  /** On whose word: our table, the person's, the server's claim, nobody's. */
  readonly classFrom: 'table' | 'person' | 'claim' | 'none';
  readonly claim: ToolClass | null;
  readonly rules: readonly { readonly id: string; readonly label: string; readonly conversation: string | null }[];
}

/** One server's page. */
export interface ServerPage {
  readonly row: ServerRow;
  /** `null`: it comes with Steward. */
  readonly server: ShownServer | null;
  readonly text: ServerText;
  readonly tools: readonly ServerToolRow[];
  /** What it says of itself, once it is ready. */
  readonly about: { readonly name: string; readonly version: string; readonly protocol: string | null } | null;
  readonly unconfirmed: readonly UnconfirmedValue[];
}

export interface ConnectionTest {
  /** `null`: it works. */
  readonly problem: ShownServerProblem | null;
  readonly seconds: number;
  readonly tools: readonly { readonly name: string; readonly claim: ToolClass | null }[];
}

const ServerName = z.string().min(1).max(100);

/** `value` null: as main keeps it. */
const GivenValue = z.object({
  name: z.string().max(1_000),
  value: z.string().max(100_000).nullable(),
  isSecret: z.boolean(),
  before: z.string().max(1_000),
  after: z.string().max(1_000),
});

/** A server as the form gives it. */
export const ServerForm = z.object({
  name: z.string().max(100),
  transport: z.enum(['stdio', 'http', 'sse']),
  command: z.string().max(10_000),
  args: z.array(z.string().max(100_000)).max(1_000),
  env: z.array(GivenValue).max(500),
  url: z.string().max(10_000),
  headers: z.array(GivenValue).max(500),
  start: z.enum(['eager', 'lazy']),
  timeoutSeconds: z.number().positive().max(86_400).nullable(),
  foundId: z.string().max(100).nullable(),
});
export type ServerForm = z.infer<typeof ServerForm>;

/** Whatever gives a server more power is asked about in the consent surface first. */
export const servers = {
  list: request(z.object({})).returns<readonly ServerRow[]>(),
  page: request(z.object({ name: ServerName })).returns<ServerPage>(),
  /** While the list is in view main tells of memory and processor use too. */
  watch: request(z.object({ isWatched: z.boolean() })).returns<null>(),
  /** Rejects with `name_taken`, `bad_server`. */
  add: request(z.object({ form: ServerForm })).returns<readonly ServerRow[]>(),
  change: request(z.object({ form: ServerForm })).returns<readonly ServerRow[]>(),
  /** Connects, asks for the tools, disconnects. `isSaved`: the form is of a server in config.json. */
  test: request(z.object({ form: ServerForm, isSaved: z.boolean() })).returns<ConnectionTest>(),
  setEnabled: request(z.object({ name: ServerName, isEnabled: z.boolean() })).returns<readonly ServerRow[]>(),
  restart: request(z.object({ name: ServerName })).returns<null>(),
  /** `undoId`: for `undoRemoval`, as long as the removal can be undone. */
  remove: request(z.object({ name: ServerName })).returns<{ readonly undoId: string }>(),
  undoRemoval: request(z.object({ undoId: z.string().max(100) })).returns<readonly ServerRow[]>(),
  /** Asks about what config.json says of this server and nobody confirmed. */
  confirm: request(z.object({ name: ServerName })).returns<readonly ServerRow[]>(),
  /** Asks about what it lists and nobody has reviewed. */
  review: request(z.object({ name: ServerName })).returns<null>(),
  /** `class` null: only what the server claims. */
  setClass: request(
    z.object({ name: ServerName, tool: z.string().min(1).max(256), class: ToolClass.nullable() }),
  ).returns<ServerPage>(),
  setText: request(z.object({ name: ServerName, text: ServerText })).returns<ServerPage>(),
  readPasted: request(z.object({ text: z.string().max(200_000) })).returns<PasteResult>(),
  /** Reads what other programs have configured; only after a click. */
  findOthers: request(z.object({})).returns<readonly FoundServers[]>(),
  checkTemplate: request(z.object({ id: TemplateId, folder: z.string().max(4096) })).returns<TemplateCheck>(),
  /** `null`: the person cancelled the dialog. */
  chooseFolder: request(z.object({})).returns<{ readonly path: string } | null>(),
};
