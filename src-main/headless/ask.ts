import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { text as readAll } from 'node:stream/consumers';
import type { SentMessage, StoredEvent } from '../../src-preload/contract/events.ts';
import { ConversationBusy } from '../assistant/assistant.ts';
import type { Command } from '../assistant/commands.ts';
import type { Notice } from '../assistant/turn.ts';
import { errorMessage, systemCode } from '../base/errors.ts';
import { errorFacts } from '../base/log.ts';
import { visible } from '../base/text.ts';
import { untilAborted } from '../base/until-aborted.ts';
import { ClientRegistrationError } from '../client-tools/conversation-clients.ts';
import type { BundledProcess } from '../mcp/transport/bundled-process.ts';
import { ModelChoiceError, UnconfirmedProviderError } from '../models/registry.ts';
import {
  NO_MODEL,
  type ProfilePart,
  type PromptOrigin,
  type ReadPrompt,
  readPrompt,
  type ServersPart,
  type Services,
  serverPromptIn,
  startServices,
  type ToolsPart,
  textOf,
  unknownCall,
  WorkspaceError,
} from '../services.ts';
import { SettingsError } from '../settings/problems.ts';
import { defaultProfileDirectory, launchDirectory, ProfileError, serverLogsIn } from '../settings/profile.ts';
import { refuseOtherVersions } from '../storage/database/schema-version.ts';
import { StorageError } from '../storage/database/storage-error.ts';
import { type AskArguments, UsageError } from './arguments.ts';
import { AskClient, readRunInput } from './ask-client.ts';
import { openInBrowser } from './browser.ts';
import { consentOf } from './consent-choice.ts';
import { EXIT } from './exit-codes.ts';
import { existingConversation, runInspection } from './inspections.ts';
import { Interruption } from './interruption.ts';
import { listServers } from './listed-servers.ts';
import { JsonOutput, type Output, ownLine, TextOutput } from './output.ts';
import { type PromptPlace, promptMessage } from './prompt-message.ts';
import { type ArgumentsIo, sayUsageError } from './read-arguments.ts';
import { reviewReminder, runReview } from './review-command.ts';
import { runRedo, runUndo } from './undo-commands.ts';
import { unsettledMail } from './unsettled-mail.ts';
import { waitingSkills } from './waiting-skills.ts';

export interface AskIo extends ArgumentsIo {
  readonly env: NodeJS.ProcessEnv;
  /** Undefined if the current folder no longer exists. */
  readonly directory: string | undefined;
  readonly stdin: Readable & { readonly isTTY?: boolean };
  /** See `ServicesOptions`. */
  readonly bundled?: BundledProcess;
}

/**
 * Runs one turn in plain Node, through the same services as the window. Resolves with the exit code. Source: design
 * section 7.
 */
export async function ask(io: AskIo, asked: AskArguments): Promise<number> {
  const interruption = new Interruption(io.stdout);
  let services: Services | undefined;
  const json = new JsonOutput(io.stdout);
  let output: Output = io.argv.includes('--json') ? json : new TextOutput({ ...io, printResults: false });
  let client: AskClient | undefined;
  let profile: string | undefined;
  try {
    const args = await withPrompt(asked, io.stdin, interruption.signal);
    const prompt = readPrompt(args.prompt);
    const { command } = prompt;
    if (command.kind === 'unusable') throw new UsageError(command.message);
    if (!args.json) output = new TextOutput({ ...io, printResults: command.kind === 'tool' });
    const places = placesFrom(args, io);
    profile = places.profileDirectory;
    const input =
      args.runInput === undefined ? undefined : readRunInput(resolve(places.launchDirectory, args.runInput));
    if (args.client) {
      const log = (line: string) => void io.stderr.write(ownLine(line));
      client = new AskClient({ stdin: io.stdin, input, send: (message) => json.client(message), log });
    }
    refuseOtherVersions(places.profileDirectory);
    services = await startServices({
      ...places,
      env: io.env,
      consent: consentOf(args, io),
      bundled: io.bundled ?? {},
      sandbox: args.sandbox,
      worksFreely: args.workFreely,
      ...(args.signIn ? { openUrl: (url: string) => openInBrowser(url, io) } : {}),
      signal: interruption.signal,
    });
    const ports = { services, output, client, stderr: io.stderr, signal: interruption.signal };
    const code = await run({ ...prompt, command }, args, ports);
    return interruption.outputFailure === undefined ? code : outputLost(interruption.outputFailure, io);
  } catch (error) {
    if (!interruption.signal.aborted) await logFailure(error, profile);
    return failed(error, output, io, interruption.signal);
  } finally {
    client?.close();
    // The turn is over and committed: a failure now is reported but does not change its outcome.
    await services?.close().catch((error: unknown) => io.stderr.write(ownLine(String(error))));
    interruption.end();
    await flushed(io.stdout);
  }
}

interface GivenPrompt extends AskArguments {
  /** A file or another program's output may be piped in, which the user did not write. */
  readonly isPiped: boolean;
}

async function withPrompt(args: AskArguments, stdin: AskIo['stdin'], signal: AbortSignal): Promise<GivenPrompt> {
  if (args.prompt !== '-') return { ...args, isPiped: false };
  const prompt = await untilAborted(readAll(stdin), signal);
  if (prompt.trim() === '') throw new UsageError('There is no prompt on standard input.');
  return { ...args, prompt, isPiped: stdin.isTTY !== true };
}

/** Whether the command is about an existing conversation and says nothing new. */
function isOfConversation<C extends Command>(command: C): command is Extract<C, { kind: 'retry' | 'compact' }> {
  return command.kind === 'retry' || command.kind === 'compact';
}

/** A prompt of an MCP server is fetched. Throws like `promptMessage`. */
async function messageOf(prompt: ReadPrompt, place: PromptPlace): Promise<SentMessage> {
  if (isOfConversation(prompt.command)) return { content: [] };
  const ofServer = serverPromptIn(prompt, place.services.serverContents.servers);
  if (ofServer !== undefined) return promptMessage(ofServer, place);
  return { content: [{ type: 'text', text: textOf(prompt) }] };
}

/** What is piped in counts as pasted. */
function originOf({ prompt, isPiped }: GivenPrompt): PromptOrigin {
  return isPiped ? { by: 'user', typed: '', pasted: prompt } : { by: 'user', typed: prompt, pasted: '' };
}

function placesFrom(args: AskArguments, io: AskIo) {
  if (io.directory === undefined)
    throw new WorkspaceError('The current folder no longer exists. Change to another one (cd) and try again.');
  const launch = launchDirectory(io.env, io.directory);
  return {
    profileDirectory: args.profile === undefined ? defaultProfileDirectory(io.env) : resolve(launch, args.profile),
    launchDirectory: launch,
    workspace: args.workspace === undefined ? undefined : resolve(launch, args.workspace),
  };
}

interface RunPorts {
  readonly services: Services;
  readonly output: Output;
  readonly client: AskClient | undefined;
  readonly stderr: Writable;
  readonly signal: AbortSignal;
}

async function run(
  prompt: ReadPrompt & { readonly command: Exclude<Command, { kind: 'unusable' }> },
  args: GivenPrompt,
  { services, output, client, stderr, signal }: RunPorts,
): Promise<number> {
  const { command } = prompt;
  const found = await untilAborted(foundChanges(services), signal);
  const outputFound = (conversationId: string) => {
    for (const event of found) if (event.conversationId === conversationId) output.event(event);
  };
  if (command.kind === 'undo' || command.kind === 'redo') {
    const { id } = existingConversation(args, services);
    output.start(id, NO_MODEL);
    outputFound(id);
    for (const { code, message } of noticesWorthSaying(services)) output.notice(code, message);
    const { text, failed } = await (command.kind === 'undo' ? runUndo : runRedo)(command, id, services, signal);
    output.text(`${text}\n`);
    output.done(failed ? 'error' : 'end_turn');
    return failed ? EXIT.failed : EXIT.ended;
  }
  if (command.kind === 'review') {
    output.start('', NO_MODEL);
    for (const { code, message } of noticesWorthSaying(services)) output.notice(code, message);
    output.text(`${await runReview(services, signal)}\n`);
    output.done('end_turn');
    return EXIT.ended;
  }
  const notListed: Notice[] = [];
  if (needsTools(command, services)) {
    await services.refreshCredentials();
    // Servers whose tools are unknown have to list them before a tool is looked up (design section 7).
    if (args.signIn) await signInWhereNeeded(services, stderr, signal);
    notListed.push(...(await listServers(command, services, { stderr, signal })));
    await services.reviewServers(signal);
  }
  const ofSkills = await waitingSkills(command, services, { approve: args.approve, signal });
  await needKnown(prompt, services, { args, client });
  if (command.kind !== 'message' && command.kind !== 'tool' && !isOfConversation(command)) {
    output.start('', NO_MODEL);
    for (const { code, message } of [...noticesWorthSaying(services), ...notListed]) output.notice(code, message);
    output.text(`${await runInspection(command, args, services, client)}\n`);
    output.done('end_turn');
    return EXIT.ended;
  }
  const conversation =
    args.conversation === undefined && !isOfConversation(command) ? null : existingConversation(args, services);
  const message = await messageOf(prompt, { conversation, services, signal });
  if (conversation !== null) await services.outbox.recover(signal, conversation.id);
  const unsettled = unsettledMail(services);
  const turn = await services.openPrompt({
    command,
    message,
    origin: isOfConversation(command) ? { by: 'button' } : originOf(args),
    conversation,
    title: prompt.title,
    model: args.model,
  });
  await client?.attach(turn, services);
  output.start(turn.conversation.id, turn.model);
  outputFound(turn.conversation.id);
  client?.open();
  const stopReason = await turn.run({
    signal,
    notices: [...noticesWorthSaying(services), ...unsettled, ...ofSkills],
    listener: (event) => {
      if ('seq' in event) output.event(event);
      else output.live(event);
    },
  });
  output.done(stopReason);
  if (services.mcp.servers.some(({ state: { name } }) => name === 'failed' || name === 'listing-failed'))
    stderr.write(ownLine(`What MCP servers printed is in ${serverLogsIn(services.profileDirectory)}`));
  const ending = endsWithThisRun(services);
  if (ending !== '') stderr.write(`${ending}\n`);
  const said = new Set(unsettled.map(({ message }) => message));
  for (const { message } of unsettledMail(services)) if (!said.has(message)) stderr.write(ownLine(message));
  const reminder = reviewReminder(services);
  if (reminder !== undefined) stderr.write(ownLine(reminder));
  if (stopReason === 'interrupted') return EXIT.interrupted;
  await services.storage.backups.makeDaily();
  await services.storage.trash.eraseOld();
  // `done` is the last event, so a failed backup is reported outside the events.
  for (const { message } of noticesWorthSaying(services)) stderr.write(ownLine(message));
  return stopReason === 'error' || stopReason === 'round_limit' ? EXIT.failed : EXIT.ended;
}

/** What commands changed whose process died, now that it is known. */
async function foundChanges(services: Services): Promise<readonly StoredEvent[]> {
  const found: StoredEvent[] = [];
  await services
    .recoverChanges((event) => void found.push(event))
    .catch((error: unknown) => logFailure(error, services.profileDirectory));
  return found;
}

/**
 * Signs in to every server that requires it, one by one. Failures are reported, and the turn continues without that
 * server.
 */
async function signInWhereNeeded(
  { mcp, mcpAccounts }: ServersPart,
  stderr: Writable,
  signal: AbortSignal,
): Promise<void> {
  const remote = mcp.servers.filter(({ isEnabled, config }) => isEnabled && config.url !== undefined);
  await untilAborted(Promise.all(remote.map((connection) => connection.start())), signal);
  for (const { name, state } of remote) {
    if (state.name !== 'needs-sign-in') continue;
    stderr.write(`Sign in to the MCP server ${visible(name)}.\n`);
    const cancel = () => mcpAccounts.signIns.cancel(name);
    signal.addEventListener('abort', cancel, { once: true });
    await mcpAccounts.signIn(name).catch((error: unknown) => void stderr.write(ownLine(errorMessage(error))));
    signal.removeEventListener('abort', cancel);
    signal.throwIfAborted();
  }
}

/** Throws `UsageError`. */
async function needKnown(
  prompt: ReadPrompt,
  services: Services,
  { args, client }: Pick<RunPorts, 'client'> & { readonly args: AskArguments },
): Promise<void> {
  if (prompt.command.kind !== 'tool') return;
  const conversation = args.conversation === undefined ? null : existingConversation(args, services).id;
  const unknown = await unknownCall(prompt, services, conversation, (name) => client?.brings(name) === true);
  if (unknown === undefined) return;
  const meant = unknown.meant === undefined ? '' : ` Did you mean /${unknown.meant}?`;
  throw new UsageError(
    `There is no command or tool /${unknown.name}.${meant} /help lists the commands, /tools the tools. To send this as text, put a word before it.`,
  );
}

/** Whether these need a question depends on the review of the servers. */
const READS_OF_SERVERS: ReadonlySet<string> = new Set(['list_mcp_resources', 'read_mcp_resource']);

/**
 * Some tools need a key, others a server. Both take time, so neither is waited for if the tool is already available.
 */
function needsTools(command: Exclude<Command, { kind: 'unusable' }>, { registry }: ToolsPart): boolean {
  if (command.kind === 'tool') {
    const tool = registry.get(command.name);
    // A model that is asked is offered all of them.
    return tool === undefined || tool.asksModel || READS_OF_SERVERS.has(tool.name);
  }
  return command.kind === 'message' || command.kind === 'retry' || command.kind === 'tools';
}

/** `ask` never stores a key, so a missing keychain loses nothing and needs no notice. */
function noticesWorthSaying({ takeNotices }: ProfilePart): readonly Notice[] {
  return takeNotices().filter(({ code }) => code !== 'keychain_absent');
}

/** A mistake of the user is no fault of Steward. `profile` is undefined if it did not come so far. */
async function logFailure(error: unknown, profile: string | undefined): Promise<void> {
  if (profile === undefined || isMisconfiguration(error) || !existsSync(profile)) return;
  const { StewardLog } = await import('../diagnostics/steward-log.ts');
  const log = new StewardLog({ profileDirectory: profile });
  log.write({ level: 'error', room: 'headless', code: 'ask_failed', facts: errorFacts(error) });
  log.flush();
}

function failed(error: unknown, output: Output, io: AskIo, signal: AbortSignal): number {
  if (signal.aborted) {
    output.done('interrupted');
    return EXIT.interrupted;
  }
  if (error instanceof UsageError) {
    sayUsageError(error, io);
    return EXIT.misconfigured;
  }
  const advice = error instanceof UnconfirmedProviderError ? ' Here, --approve all confirms it.' : '';
  const message = errorMessage(error) + advice;
  if (error instanceof ClientRegistrationError && output instanceof JsonOutput)
    output.client({ type: 'client_error', code: 'registration_failed', message });
  output.error(codeOf(error), message);
  output.done('error');
  return isMisconfiguration(error) ? EXIT.misconfigured : EXIT.failed;
}

function outputLost({ message }: Error, { stderr }: AskIo): number {
  stderr.write(`Error: The answer could not be written: ${message}. The turn was stopped; its text so far is kept.\n`);
  return EXIT.failed;
}

function isMisconfiguration(error: unknown): boolean {
  if (error instanceof StorageError) return error.code !== 'disk_full' && error.code !== 'io_error';
  return [UsageError, ProfileError, WorkspaceError, ModelChoiceError, SettingsError, ClientRegistrationError].some(
    (kind) => error instanceof kind,
  );
}

function codeOf(error: unknown): string {
  if (error instanceof ClientRegistrationError) return 'client_registration';
  if (error instanceof ConversationBusy) return 'conversation_busy';
  return systemCode(error) || 'internal';
}

/** Waits until the output is written, unless its reader has gone away. */
function flushed(stdout: Writable): Promise<void> {
  if (stdout.destroyed || stdout.errored !== null) return Promise.resolve();
  return new Promise((resolve) => stdout.write('', () => resolve()));
}

/** The ids of background shells and the command lines of other programs. Empty if there are none. */
function endsWithThisRun({ toolServices, leftRunning }: Pick<Services, 'toolServices' | 'leftRunning'>): string {
  const programs = leftRunning.list().flatMap((left) => (left.inBackground ? [] : left.programs));
  const named = [
    ...toolServices.environment.shells.alive(),
    ...programs.map(({ pid, command }) => `${visible(command)} (process ${pid})`),
  ];
  return named.length === 0 ? '' : `Ends with this run: ${named.join(', ')}`;
}
