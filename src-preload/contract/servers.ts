import { z } from 'zod';
import type { LeftOutTool } from './left-out-tools.ts';
import type { Blank, PasteFormat, PasteProblem, ServerRemark, UnreadEntry } from './pasted-text.ts';
import { request } from './route.ts';
import type { DoctorAdvice } from './server-doctor.ts';
import type { UnconfirmedValue } from './settings.ts';
import { ToolClass } from './tool-class.ts';

/** Who wrote the text that a server returns. */
export const ServerText = z.enum(['outside', 'public', 'own']);
export type ServerText = z.infer<typeof ServerText>;

export type ServerTransport = 'stdio' | 'http' | 'sse' | 'bundled';

/** Why a server does not work: the code of its `ServerProblem`, the text without secrets, and advice. */
export interface ShownServerProblem {
  readonly code: string;
  /** The server wrote more than the text contains. Its log shows it. */
  readonly hasOutput: boolean;
  readonly text: string;
  readonly advice: readonly DoctorAdvice[];
}

/**
 * A server's state. It is not started when `off`. With `listing-failed`, it is connected, but without its tools.
 * `retryAt` (milliseconds since 1970) is the next try. An `unconfirmed` server is new or changed in config.json and has
 * no effect until it is confirmed. An `invalid` entry has an error.
 */
export type ShownServerState =
  | { readonly name: 'off' | 'starting' | 'ready' | 'needs-sign-in' | 'stopping' | 'unconfirmed' }
  | {
      readonly name: 'failed' | 'listing-failed';
      readonly problem: ShownServerProblem;
      readonly retryAt: number | null;
    }
  | { readonly name: 'invalid'; readonly messages: readonly string[] };

/** What the process and its descendants use. */
export interface ServerUsage {
  readonly memoryBytes: number;
  /** The share of one processor since the last measurement, or null after only one measurement. */
  readonly cpuPercent: number | null;
}

export interface ServerRow {
  readonly name: string;
  /** `null` if its entry does not say. */
  readonly transport: ServerTransport | null;
  /** The command line or the URL. */
  readonly reachedBy: string;
  readonly isEnabled: boolean;
  readonly state: ShownServerState;
  /** Number of tools in its last list; `null` if it was never read. */
  readonly tools: number | null;
  /** How many of these, plus its instructions, are unreviewed. */
  readonly unreviewed: number;
  readonly pid: number | null;
  /** `null` if it has no process, or usage is not being watched. */
  readonly usage: ServerUsage | null;
}

/** A value of a server's environment or headers. */
export interface ShownValue {
  readonly name: string;
  /** `null` if it is, or may be, a secret: it stays in main. */
  readonly value: string | null;
  /** The value is, or should become, a keychain entry. */
  readonly isSecret: boolean;
  /** For a secret, the text before it, as in `Bearer …`. */
  readonly before: string;
  readonly after: string;
  /** The value stands for a placeholder that has to be filled in. */
  readonly blank?: Blank;
}

/**
 * A part of the command, an argument or the address that is filled in, or belongs in the keychain. The text there is
 * `before` and `after`, with `${keychain:NAME}` between them if it is a secret. `name` is the keychain's; for other
 * parts it is a label, which may be empty.
 */
export interface ServerPart extends ShownValue {
  readonly place: 'command' | 'args' | 'url';
  /** The index of the argument; otherwise 0. */
  readonly index: number;
}

/** Steward, as somebody registered it at a service that doesn't let apps register themselves. */
export interface ShownRegistration {
  readonly clientId: string;
  /** Null if there is a secret, which stays in main. */
  readonly clientSecret: string | null;
  readonly callbackPort: number | null;
}

/** A server as shown in the form. */
export interface ShownServer {
  readonly name: string;
  readonly transport: Exclude<ServerTransport, 'bundled'>;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: readonly ShownValue[];
  readonly url: string;
  readonly headers: readonly ShownValue[];
  /** Absent if it has none. */
  readonly registration?: ShownRegistration;
  /** There is at most one for each argument, and one for the command or the address. */
  readonly parts: readonly ServerPart[];
  readonly start: 'eager' | 'lazy';
  readonly timeoutSeconds: number | null;
  /** Main keeps the `null` values under this id; if it is null itself, they are in config.json and the keychain. */
  readonly foundId: string | null;
  /** What could not be imported. */
  readonly remarks: readonly ServerRemark[];
}

/** One way to set up one or more servers. A README often shows several for the same server. */
export interface PastedSetup<Server> {
  readonly format: PasteFormat;
  /** The heading, file name or program that the text puts before it; `null` if there is none. */
  readonly title: string | null;
  readonly servers: readonly Server[];
  /** Entries beside these that are no servers. */
  readonly unread: readonly UnreadEntry[];
}

/** `servers` and `unread` are those of the plainest set-up, `setups[chosen]`. */
export type PasteResult =
  | {
      readonly servers: readonly ShownServer[];
      readonly unread: readonly UnreadEntry[];
      /** The servers in the order of the text. Those that say the same appear once. */
      readonly setups: readonly PastedSetup<ShownServer>[];
      readonly chosen: number;
    }
  | { readonly problem: PasteProblem };

/** Why a file of another program was not read. `reason` is the system's. */
export type FileProblem =
  | { readonly code: 'unreadable'; readonly reason: string }
  | { readonly code: 'file_too_large'; readonly bytes: number; readonly most: number };

/** A file of another program that has servers, or could not be read. */
export interface FoundServers {
  /** The name by which people know the program. */
  readonly program: string;
  readonly path: string;
  /** The file comes with the workspace, and whoever wrote that chose its servers. */
  readonly isProject: boolean;
  readonly result: PasteResult | { readonly problem: FileProblem };
}

/** Whether what a command needs is on this computer. Nothing was started. */
export interface ProgramCheck {
  /** Null if it was not found in PATH. */
  readonly path: string | null;
  /** Programs that are missing, the command's own first. */
  readonly missing: readonly string[];
  readonly advice: readonly DoctorAdvice[];
}

export const TemplateId = z.enum(['whatsapp', 'interview-assist']);
export type TemplateId = z.infer<typeof TemplateId>;

/** Something that a template's server needs. For a `port`, it is the address of the bridge. */
export interface Prerequisite {
  readonly id: 'uv' | 'go' | 'gcc' | 'ffmpeg' | 'dotnet-sdk' | 'python' | 'folder' | 'port-8080';
  readonly isMet: boolean;
  /** Only part of the server needs this. */
  readonly isOptional: boolean;
  /** Where it was found. For a port, these are the addresses at which it is open. */
  readonly found: readonly string[];
}

export interface TemplateCheck {
  readonly prerequisites: readonly Prerequisite[];
  /** The port is reachable from other machines. */
  readonly isPortExposed: boolean;
  readonly server: ShownServer;
}

export interface ServerToolRow {
  /** The tool's name at the server. */
  readonly name: string;
  readonly title: string | null;
  readonly description: string;
  /** Models of services that take shorter descriptions only are given its beginning. */
  readonly isLong: boolean;
  /** The tool's name for models, `{server}__{tool}`. */
  readonly registered: string;
  readonly review: 'accepted' | 'new' | 'changed';
  /** `null` if it is not offered to the model. */
  readonly isEnabled: boolean | null;
  /** The class of the tool. */
  readonly class: ToolClass;
  /** Who set the class: our table, the user, the server's claim, no one. */
  readonly classFrom: 'table' | 'user' | 'claim' | 'none';
  readonly claim: ToolClass | null;
  readonly rules: readonly { readonly id: string; readonly label: string; readonly conversation: string | null }[];
}

/** The page of one server. */
export interface ServerPage {
  readonly row: ServerRow;
  /** Null for the bundled server. */
  readonly server: ShownServer | null;
  readonly text: ServerText;
  readonly tools: readonly ServerToolRow[];
  /** What the server lists in addition and is not used. */
  readonly leftOut: readonly LeftOutTool[];
  /** The name and version that the server gives itself, once it is ready. */
  readonly about: { readonly name: string; readonly version: string; readonly protocol: string | null } | null;
  readonly unconfirmed: readonly UnconfirmedValue[];
}

export interface ConnectionTest {
  /** `null` if it works. */
  readonly problem: ShownServerProblem | null;
  /** The server may be connected and still not have listed its tools. */
  readonly isConnected: boolean;
  readonly seconds: number;
  readonly tools: readonly { readonly name: string; readonly claim: ToolClass | null }[];
}

const ServerName = z.string().min(1).max(100);

/** `value` null keeps main's value. */
const GivenValue = z.object({
  name: z.string().max(1_000),
  value: z.string().max(100_000).nullable(),
  isSecret: z.boolean(),
  /** The user chose `isSecret`. Otherwise main judges what was typed, and a key goes to the keychain. */
  isChosen: z.boolean().optional(),
  before: z.string().max(1_000),
  after: z.string().max(1_000),
});

/** A server as submitted by the form. */
export const ServerForm = z.object({
  name: z.string().max(100),
  transport: z.enum(['stdio', 'http', 'sse']),
  command: z.string().max(10_000),
  args: z.array(z.string().max(100_000)).max(1_000),
  /** What the keychain references in `args` stand for; `value` null keeps main's value. */
  keys: z
    .array(z.object({ name: z.string().max(200), value: z.string().max(100_000).nullable() }))
    .max(500)
    .optional(),
  env: z.array(GivenValue).max(500),
  url: z.string().max(10_000),
  headers: z.array(GivenValue).max(500),
  /** The registration of a server behind an address. If it is absent, what config.json has stays. */
  registration: z
    .object({
      clientId: z.string().max(1_000),
      clientSecret: z.string().max(100_000).nullable(),
      callbackPort: z.int().min(1).max(65_535).nullable(),
    })
    .optional(),
  start: z.enum(['eager', 'lazy']),
  timeoutSeconds: z.number().positive().max(86_400).nullable(),
  foundId: z.string().max(100).nullable(),
});
export type ServerForm = z.infer<typeof ServerForm>;

/** Permission grants are asked about in the consent surface first. */
export const servers = {
  list: request(z.object({})).returns<readonly ServerRow[]>(),
  page: request(z.object({ name: ServerName })).returns<ServerPage>(),
  /** While the list is visible, main also sends memory and processor usage. */
  watch: request(z.object({ isWatched: z.boolean() })).returns<null>(),
  /** Rejects with `name_taken`, `bad_server`. */
  add: request(z.object({ form: ServerForm })).returns<readonly ServerRow[]>(),
  /**
   * `opened` is the form as it was filled at first. Changes made to config.json since then stay where the user changed
   * nothing. Rejects with `changed_meanwhile`.
   */
  change: request(z.object({ form: ServerForm, opened: ServerForm.optional() })).returns<readonly ServerRow[]>(),
  /** Connects, lists the tools, disconnects. `isSaved` says that the form belongs to a server in config.json. */
  test: request(z.object({ form: ServerForm, isSaved: z.boolean() })).returns<ConnectionTest>(),
  setEnabled: request(z.object({ name: ServerName, isEnabled: z.boolean() })).returns<readonly ServerRow[]>(),
  restart: request(z.object({ name: ServerName })).returns<null>(),
  /** `undoId` is for `undoRemoval`, as long as the removal can be undone. */
  remove: request(z.object({ name: ServerName })).returns<{ readonly undoId: string }>(),
  undoRemoval: request(z.object({ undoId: z.string().max(100) })).returns<readonly ServerRow[]>(),
  /** Asks about this server's unconfirmed values in config.json. */
  confirm: request(z.object({ name: ServerName })).returns<readonly ServerRow[]>(),
  /** Asks about its unreviewed definitions. */
  review: request(z.object({ name: ServerName })).returns<null>(),
  /** If `class` is null, only the server's claim is used. */
  setClass: request(
    z.object({ name: ServerName, tool: z.string().min(1).max(256), class: ToolClass.nullable() }),
  ).returns<ServerPage>(),
  setText: request(z.object({ name: ServerName, text: ServerText })).returns<ServerPage>(),
  readPasted: request(z.object({ text: z.string().max(1024 * 1024) })).returns<PasteResult>(),
  /** Reads other programs' configurations; only after a click. */
  findOthers: request(z.object({})).returns<readonly FoundServers[]>(),
  /** Looks for the program, as the doctor does; `path`: the PATH of the server's own environment. */
  checkProgram: request(
    z.object({ command: z.string().max(10_000), path: z.string().max(100_000).nullable() }),
  ).returns<ProgramCheck>(),
  checkTemplate: request(z.object({ id: TemplateId, folder: z.string().max(4096) })).returns<TemplateCheck>(),
  /** The answer is null if the user cancelled the dialog. */
  chooseFolder: request(z.object({})).returns<{ readonly path: string } | null>(),
};
