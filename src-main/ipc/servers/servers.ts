import type { ConnectionTest, ServerForm, ServerRow, servers } from '../../../src-preload/contract/servers.ts';
import { neededPrograms } from '../../diagnostics/needed-programs.ts';
import { templateState } from '../../mcp/setup/templates.ts';
import { isConnected } from '../../mcp/status/server-state.ts';
import { claimedClass } from '../../policy/mcp/tool-class.ts';
import { splitCommandWords } from '../../policy/shell-words.ts';
import type { GivenServer, ServersPart, SettingsPart } from '../../services.ts';
import type { Desktop } from '../desktop-port.ts';
import { needGesture } from '../gesture.ts';
import type { Handlers } from '../handlers.ts';
import { IpcError } from '../ipc-error.ts';
import { declined, OneQuestion } from '../one-question.ts';
import { withChangesOfFile } from './changes-of-file.ts';
import { FoundValues, shownWhole } from './found-values.ts';
import { type ServerViewServices, serverPage, shownProblem } from './server-view.ts';
import type { ServerWatch } from './server-watch.ts';

export interface ServersPorts {
  readonly services: ServerViewServices;
  readonly watch: ServerWatch;
  readonly desktop: Pick<Desktop, 'chooseFolder' | 'facts' | 'takeGesture'>;
  readonly env: NodeJS.ProcessEnv;
  /** Cancels this window's questions when it closes. */
  readonly signal: AbortSignal;
}

type ServerHandlers = Handlers<typeof servers>;

export function serversHandlers(ports: ServersPorts): ServerHandlers {
  const question = new OneQuestion('another MCP server', ports.signal);
  const found = new FoundValues();
  return {
    ...configuredServerHandlers(ports, question),
    ...serverFormHandlers(ports, question, found),
    ...newServerHandlers(ports, found),
  };
}

type ConfiguredServerRoute =
  | 'list'
  | 'page'
  | 'watch'
  | 'setEnabled'
  | 'restart'
  | 'remove'
  | 'undoRemoval'
  | 'confirm'
  | 'review'
  | 'setClass'
  | 'setText';

/** Shows the servers of config.json, and changes one thing about them. */
function configuredServerHandlers(
  { services, watch, desktop, signal }: ServersPorts,
  question: OneQuestion,
): Pick<ServerHandlers, ConfiguredServerRoute> {
  const { serverSettings, mcp } = services;
  const page = (name: string) => serverPage(services, name, watch.usageOf);
  const confirmed = (work: () => Promise<boolean>) => confirmedRows(watch, question, work);

  return {
    list: () => watch.rows(),
    page: ({ name }) => page(name),
    watch: ({ isWatched }) => {
      watch.watched(isWatched);
      return null;
    },
    setEnabled: ({ name, isEnabled }, circumstances) => {
      // A page must not restart what the user stopped.
      if (isEnabled) needGesture(desktop, circumstances);
      return confirmed(() => serverSettings.setEnabled(name, isEnabled, signal));
    },
    restart: ({ name }, circumstances) => {
      needGesture(desktop, circumstances);
      const connection = mcp.get(name);
      if (connection === undefined || !connection.isEnabled)
        throw new IpcError('unknown_server', `The MCP server “${name}” is not switched on.`);
      void connection.restart();
      return null;
    },
    // A removal can be undone only for a minute.
    remove: async ({ name }, circumstances) => {
      needGesture(desktop, circumstances);
      return { undoId: await serverSettings.remove(name) };
    },
    undoRemoval: async ({ undoId }) => {
      await serverSettings.undoRemoval(undoId);
      return watch.rows();
    },
    confirm: ({ name }) => confirmed(() => serverSettings.confirm(name, signal)),
    review: async ({ name }) => {
      await question.run(() => serverSettings.review(name, signal));
      return null;
    },
    setClass: async ({ name, tool, class: chosen }) => {
      await confirmed(() => serverSettings.setClass(name, tool, chosen, signal));
      return page(name);
    },
    setText: async ({ name, text }) => {
      await confirmed(() => serverSettings.setText(name, text, signal));
      return page(name);
    },
  };
}

/** Saves and tests what a form says about a server. */
function serverFormHandlers(
  { services, watch, desktop, signal }: ServersPorts,
  question: OneQuestion,
  found: FoundValues,
): Pick<ServerHandlers, 'add' | 'change' | 'test'> {
  const { serverSettings } = services;
  const given = (form: ServerForm): GivenServer => ({
    form,
    found: found.of(form.foundId),
    template: found.templateOf(form.foundId),
  });
  const confirmed = (work: () => Promise<boolean>) => confirmedRows(watch, question, work);

  return {
    add: ({ form }) => confirmed(() => serverSettings.add(given(form), signal)),
    change: ({ form, opened }) => {
      const submitted = opened === undefined ? form : withChangesOfFile(form, opened, services);
      return confirmed(() => serverSettings.change(given(submitted), signal));
    },
    // Starts only what is confirmed, and only after a click.
    test: async ({ form, isSaved }, circumstances) => {
      needGesture(desktop, circumstances);
      if (!isSaved && Object.hasOwn(services.settings.serversAsWritten, form.name.trim()))
        throw new IpcError(
          'name_taken',
          `An MCP server named “${form.name.trim()}” already exists. Choose another name.`,
        );
      return question.run(() => tested(services, given(form), signal));
    },
  };
}

/** Finds out what a form for a new server can be filled with. */
function newServerHandlers(
  { services, desktop, env }: ServersPorts,
  found: FoundValues,
): Pick<ServerHandlers, 'readPasted' | 'findOthers' | 'checkProgram' | 'checkTemplate' | 'chooseFolder'> {
  return {
    readPasted: async ({ text }) => {
      const { pastedServers } = await import('../../mcp/setup/pasted-servers.ts');
      return shownWhole(pastedServers(text, splitCommandWords));
    },
    findOthers: async (_none, circumstances) => {
      needGesture(desktop, circumstances);
      const { serversOfOtherPrograms } = await import('../../mcp/setup/other-programs.ts');
      const { workspace } = services;
      const home = { platform: process.platform, homeFolder: desktop.facts.homeFolder, workspace, env };
      const others = await serversOfOtherPrograms(home);
      return others.map(({ result, ...file }) => ({
        ...file,
        result: 'problem' in result ? result : found.shown(result),
      }));
    },
    checkProgram: ({ command, path }) => neededPrograms(command.trim(), path, services.mcpSurroundings),
    checkTemplate: async ({ id, folder }) => {
      const { server, ...state } = await templateState(id, folder, { platform: process.platform, env });
      return { ...state, server: found.shownTemplate({ id, server }) };
    },
    chooseFolder: async (_none, circumstances) => {
      needGesture(desktop, circumstances);
      const path = await desktop.chooseFolder('Choose the folder of the server', services.workspace);
      return path === null ? null : { path };
    },
  };
}

/** Resolves with the new list; rejects if the user declined. */
async function confirmedRows(
  watch: ServerWatch,
  question: OneQuestion,
  work: () => Promise<boolean>,
): Promise<ServerRow[]> {
  await question.confirm(work);
  return watch.rows();
}

async function tested(
  services: ServersPart & SettingsPart,
  given: GivenServer,
  signal: AbortSignal,
): Promise<ConnectionTest> {
  const began = performance.now();
  const outcome = await services.serverSettings.test(given, signal);
  if (outcome === undefined) throw declined();
  const { state, list } = outcome;
  const seconds = (performance.now() - began) / 1_000;
  const problem =
    state.name === 'failed' || state.name === 'listing-failed'
      ? shownProblem(state, given.form, services)
      : state.name === 'needs-sign-in'
        ? {
            code: 'needs_sign_in',
            text: 'it answers only after signing in',
            hasOutput: false,
            advice: [{ code: 'sign_in' } as const],
          }
        : null;
  const tools = (list?.tools ?? []).map(({ name, annotations }) => ({
    name,
    claim: claimedClass(annotations) ?? null,
  }));
  return { problem, isConnected: isConnected(state), seconds, tools };
}
