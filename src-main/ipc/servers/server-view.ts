import type {
  ServerPage,
  ServerRow,
  ServerToolRow,
  ServerUsage,
  ShownServer,
  ShownServerProblem,
  ShownServerState,
} from '../../../src-preload/contract/servers.ts';
import { DESCRIPTION_TAKEN_EVERYWHERE } from '../../../src-preload/contract/tool-words.ts';
import { isRecord, ownValue } from '../../base/json.ts';
import { shortened, visibleLines } from '../../base/text.ts';
import { adviceForState } from '../../diagnostics/failure-advice.ts';
import { BUNDLED_LIST, isBundledServer } from '../../mcp/bundled-server.ts';
import type { McpConnection } from '../../mcp/connection.ts';
import { keptValues, onePlaceholder, shownValue, shownVariable } from '../../mcp/setup/server-values.ts';
import { writtenServer } from '../../mcp/setup/written-server.ts';
import { problemText, type ServerProblem } from '../../mcp/status/server-problem.ts';
import type { ServerState } from '../../mcp/status/server-state.ts';
import { type AcceptedListing, compareListing, pinnedTexts } from '../../policy/mcp/definitions.ts';
import { claimedClass, classOfTool } from '../../policy/mcp/tool-class.ts';
import { redactSecrets } from '../../secrets/redaction.ts';
import type { ProfilePart, ServersPart, SettingsPart, ToolsPart } from '../../services.ts';
import type { McpServerConfig } from '../../settings/config-schema.ts';
import { grantKeysOfServer } from '../../settings/permission-grants.ts';
import { isKeyIn, keyText } from '../../settings/problems.ts';
import { IpcError } from '../ipc-error.ts';

/** The limit of a title in UTF-16 units. */
const MAX_TITLE_LENGTH = 200;
const MAX_DESCRIPTION_LENGTH = 4_000;

export type UsageOf = (pid: number) => ServerUsage | null;

/** In the order of config.json; the bundled server comes last unless it is named there. */
/** What a server's row and its page are made of. */
export type ServerViewServices = SettingsPart &
  ServersPart &
  Pick<ToolsPart, 'registry'> &
  Pick<ProfilePart, 'storage'>;

export function serverRows(services: ServerViewServices, usageOf: UsageOf): ServerRow[] {
  const names = new Set([
    ...Object.keys(services.settings.serversAsWritten),
    ...services.mcp.servers.map(({ name }) => name),
  ]);
  return [...names].map((name) => serverRow(services, name, usageOf));
}

function serverRow(services: ServerViewServices, name: string, usageOf: UsageOf): ServerRow {
  const { mcp, settings } = services;
  const connection = mcp.get(name);
  const server = connection?.config ?? ownValue(settings.current.mcpServers, name);
  const written = ownValue(settings.serversAsWritten, name);
  const list = connection?.list;
  const pid = connection?.pid ?? null;
  return {
    name,
    transport: server?.transport ?? asWritten(written)?.transport ?? null,
    reachedBy: shownReach(server ?? asWritten(written), services),
    isEnabled: server === undefined || server.enabled !== false,
    state: connection === undefined ? stateInFile(services, name) : shownState(connection, services),
    tools: list?.tools.length ?? null,
    unreviewed: connection === undefined ? 0 : (acceptedOf(services, connection)?.unseen.length ?? 0),
    pid,
    usage: pid === null ? null : usageOf(pid),
  };
}

/** Throws `IpcError` (`unknown_server`). */
export function serverPage(services: ServerViewServices, name: string, usageOf: UsageOf): ServerPage {
  const row = serverRows(services, usageOf).find((each) => each.name === name);
  if (row === undefined) throw new IpcError('unknown_server', `There is no MCP server “${name}”.`);
  const { mcp, settings, unconfirmed } = services;
  const connection = mcp.get(name);
  const server = connection?.config ?? ownValue(settings.current.mcpServers, name);
  const keys = grantKeysOfServer(name);
  return {
    row,
    server: row.transport === 'bundled' ? null : shownServer(name, server, ownValue(settings.serversAsWritten, name)),
    text: server?.text ?? 'outside',
    tools: connection === undefined ? [] : toolRows(services, connection),
    leftOut: [...(connection?.list?.leftOut ?? []), ...(connection?.content.leftOut ?? [])],
    about: connection === undefined ? null : shownAbout(connection),
    unconfirmed: unconfirmed.filter(({ key }) => keys.includes(key)),
  };
}

function shownAbout({ server, protocolVersion }: McpConnection): ServerPage['about'] {
  if (server === undefined) return null;
  const { name, version } = server;
  return {
    name: shownText(name, MAX_TITLE_LENGTH),
    version: shownText(version, MAX_TITLE_LENGTH),
    // One of those that the SDK knows.
    protocol: protocolVersion ?? null,
  };
}

/** A text of the server's, which may be megabytes long. */
function shownText(text: string, most: number): string {
  return visibleLines(shortened(text, most));
}

function toolRows(services: ServerViewServices, connection: McpConnection): ServerToolRow[] {
  const { registry, storage, serverFactsOf } = services;
  const { name: server, list, config } = connection;
  const accepted = acceptedOf(services, connection);
  if (list === undefined || accepted === undefined) return [];
  const facts = serverFactsOf(server, config);
  const rules = storage.rules.all();
  return list.tools.map((tool) => {
    const { name, title = null, description, annotations } = tool;
    const shown = {
      title: title === null ? null : shownText(title, MAX_TITLE_LENGTH),
      description: shownText(description, MAX_DESCRIPTION_LENGTH),
      isLong: description.length > DESCRIPTION_TAKEN_EVERYWHERE,
    };
    const registered = `${server}__${name}`;
    const offered = registry.get(registered);
    const { class: taken, classFrom } = classOfTool(name, { ...facts, annotations });
    return {
      name,
      ...shown,
      registered,
      classFrom,
      review: accepted.new.includes(tool) ? 'new' : accepted.changed.includes(tool) ? 'changed' : 'accepted',
      isEnabled: offered === undefined ? null : registry.isEnabled(offered),
      class: taken,
      claim: claimedClass(annotations) ?? null,
      rules: rules.flatMap(({ id, label, matcher, conversationId }) => {
        if (matcher.kind !== 'mcp-tool' || matcher.server !== server || matcher.tool !== name) return [];
        const title = conversationId === null ? null : (storage.conversations.get(conversationId)?.title ?? '');
        return [{ id, label, conversation: title }];
      }),
    };
  });
}

/** The bundled server was accepted with the app. */
function acceptedOf({ definitions }: ServersPart, { name, config, list }: McpConnection): AcceptedListing | undefined {
  if (list === undefined) return undefined;
  if (isBundledServer(name, config)) return compareListing(list, pinnedTexts(BUNDLED_LIST));
  return definitions.acceptedTools(name, list);
}

/** An invalid entry is shown as far as it can be read. */
function shownServer(name: string, server: McpServerConfig | undefined, written: unknown): ShownServer {
  const read = server ?? asWritten(written);
  const kept = keptValues(written);
  return {
    name,
    transport: read === undefined || read.transport === 'bundled' ? 'stdio' : read.transport,
    command: read?.command ?? '',
    args: read?.args ?? [],
    env: Object.entries(server?.env ?? kept.env).map(([key, text]) => shownVariable(key, text)),
    url: read?.url ?? '',
    headers: Object.entries(server?.headers ?? kept.headers).map(([key, text]) => shownValue(key, text)),
    ...shownRegistration(server?.oauth),
    parts: argumentKeys(read?.args ?? []),
    start: read?.start ?? 'eager',
    timeoutSeconds: read?.timeoutSeconds ?? null,
    foundId: null,
    remarks: [],
  };
}

function shownRegistration(oauth: McpServerConfig['oauth']): Pick<ShownServer, 'registration'> {
  if (oauth?.clientId === undefined && oauth?.clientSecret === undefined && oauth?.callbackPort === undefined)
    return {};
  const { clientId = '', clientSecret, callbackPort = null } = oauth;
  return { registration: { clientId, clientSecret: clientSecret === undefined ? '' : null, callbackPort } };
}

/** Keys in arguments, which can be replaced. */
function argumentKeys(args: readonly string[]): ShownServer['parts'] {
  return args.flatMap((text, index) => {
    const secret = onePlaceholder(text);
    if (secret === undefined) return [];
    const { secret: name, before, after } = secret;
    return [{ name, value: null, isSecret: true, before, after, place: 'args', index } as const];
  });
}

/** An entry as far as it can be read if it is invalid. */
function asWritten(entry: unknown) {
  if (!isRecord(entry)) return undefined;
  const { command, args, url, transport, start, timeoutSeconds } = writtenServer(entry);
  if (command === '' && url.text === '') return undefined;
  const said = transport ?? (command === '' ? 'http' : 'stdio');
  return { command, args: args.map(({ text }) => text), url: url.text, transport: said, start, timeoutSeconds };
}

/** The entry as config.json has it now, or undefined if it has none of that name. */
export function serverForm(name: string, { settings }: SettingsPart): ShownServer | undefined {
  const written = ownValue(settings.serversAsWritten, name);
  return written === undefined ? undefined : shownServer(name, ownValue(settings.current.mcpServers, name), written);
}

function stateInFile({ settings }: SettingsPart, name: string): ShownServerState {
  if (ownValue(settings.current.mcpServers, name) !== undefined) return { name: 'unconfirmed' };
  const entry = keyText(['mcpServers', name]);
  const wrong = settings.problems.filter(({ key, severity }) => severity === 'error' && isKeyIn(entry, key));
  return { name: 'invalid', messages: wrong.map(({ message }) => message) };
}

function shownState({ state, config }: McpConnection, services: SettingsPart): ShownServerState {
  if (state.name !== 'failed' && state.name !== 'listing-failed') return { name: state.name };
  const { name, retryAt = null } = state;
  return { name, problem: shownProblem(state, config, services), retryAt };
}

/** A server's output may contain its `secrets`, and characters that hide or reorder text. */
export function shownProblem(
  state: Extract<ServerState, { readonly problem: ServerProblem }>,
  entry: Pick<McpServerConfig, 'command' | 'transport'>,
  { secrets }: Pick<SettingsPart, 'secrets'>,
): ShownServerProblem {
  const { problem } = state;
  const redacted = redactSecrets(problemText(problem), secrets.redactionValues());
  const { lines = '', telling = '' } = ('output' in problem ? problem.output : null) ?? {};
  return {
    code: problem.code,
    text: visibleLines(redacted),
    hasOutput: lines.trim() !== telling,
    advice: adviceForState(state, entry),
  };
}

function shownReach(
  server:
    | { readonly command?: string | undefined; readonly args: readonly string[]; readonly url?: string | undefined }
    | undefined,
  { secrets }: SettingsPart,
): string {
  const text =
    server?.command === undefined || server.command === ''
      ? (server?.url ?? '')
      : [server.command, ...server.args].join(' ');
  return redactSecrets(text, secrets.redactionValues());
}
