import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Listener } from '../../../src-main/assistant/conversation-log.ts';
import type { ConsentRequest } from '../../../src-main/policy/consent.ts';
import { browse } from '../../fixtures/google/browse.ts';
import { FixtureCalendar } from '../../fixtures/google/calendar-api.ts';
import { FixtureGmail } from '../../fixtures/google/gmail-api.ts';
import { serveGoogle } from '../../fixtures/google/google-server.ts';
import type { ScriptedTurn } from '../../fixtures/messages-api/script.ts';
import { startMessagesApi } from '../../fixtures/messages-api/server.ts';
import { startNpmRegistry } from '../../fixtures/npm-registry.ts';
import { openPublicWeb } from '../../fixtures/web/public-web.ts';
import { BRAVE_KEY } from '../../fixtures/web-search/brave-answer.ts';
import { type RunningAssistant, startAssistant } from '../assistant.ts';
import { type Question, SensiblePerson } from './person.ts';
import { freePort, makeWorkspace, sitesOf } from './places.ts';
import { type Call, callsOf, type Session } from './session.ts';

export interface Played {
  readonly session: Session;
  readonly calls: number;
  readonly questions: readonly Question[];
  readonly requests: readonly ConsentRequest[];
  /** What the script did not expect. If there is anything, the questions mean little. */
  readonly problems: readonly string[];
}

/** A failed command is no error of the tool: it says so in its text. */
const FAILURE = /^Error\b|\[(?:exit code \d+|timed out after [^\]]+|stopped[^\]]*)\]$/;

type Way = () => void | Promise<void>;

/** Plays a session on a profile of its own: the product's services, Claude's wire format, real files and commands. */
export async function play(session: Session): Promise<Played> {
  const problems: string[] = [];
  const cleanUp: Way[] = [];
  try {
    const { assistant, person, filled } = await setUp(session, problems, cleanUp);
    await converse(session, assistant, filled, problems);
    return {
      session,
      calls: callsOf(session).length,
      questions: person.questions,
      requests: person.requests,
      problems,
    };
  } finally {
    for (const way of cleanUp.reverse()) await way();
  }
}

async function setUp(session: Session, problems: string[], cleanUp: Way[]) {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'steward-session-')));
  cleanUp.push(() => rmSync(home, { recursive: true, force: true }));
  const workspace = join(home, session.folder ?? 'project');
  const port = await freePort();
  const filled = (text: string) => text.replaceAll('{workspace}', workspace).replaceAll('{port}', `${port}`);
  makeWorkspace(session, workspace, filled);

  const registry = await startNpmRegistry(session.packages ?? {});
  cleanUp.push(() => registry.close());
  const npmrc = [`registry=${registry.url}`, 'update-notifier=false', 'audit=false', 'fund=false'];
  writeFileSync(join(home, '.npmrc'), `${npmrc.join('\n')}\n`);
  const web = await openPublicWeb(sitesOf(session, (problem) => problems.push(problem)));
  cleanUp.push(() => web.close());
  const api = await startMessagesApi({ turns: scriptOf(session, filled) });
  cleanUp.push(() => api.close());

  const person = new SensiblePerson(
    callsOf(session).map((call) => ({ ...call, input: filledInput(call.input, filled) })),
  );
  const google = await openGoogle(session);
  cleanUp.push(() => google.close());
  // Endpoints and sign-ins are confirmed before the day begins.
  let isSettingUp = true;
  const yes = { answer: 'allow', scope: 'once', by: 'user' } as const;
  const assistant = await startAssistant({
    workspace,
    config: google.config,
    consent: { ask: async (request, signal) => (isSettingUp ? yes : person.ask(request, signal)) },
    openUrl: async (url) => void browse(url).catch((error: unknown) => problems.push(String(error))),
    env: {
      HOME: home,
      TZ: 'UTC',
      ANTHROPIC_API_KEY: 'sk-ant-api03-fixture',
      ANTHROPIC_BASE_URL: api.url,
      BRAVE_API_KEY: BRAVE_KEY,
      ...google.env,
    },
  });
  cleanUp.push(() => assistant.stop());
  await assistant.services.refreshCredentials();
  for (const account of google.accounts) await assistant.services.googleAccounts.connect(account);
  isSettingUp = false;
  const { memory } = assistant.services.storage;
  const { facts = {}, memories = {} } = session.remembered ?? {};
  for (const [key, value] of Object.entries(facts)) memory.setFact(key, value, []);
  for (const [question, answer] of Object.entries(memories)) memory.storeMemory(question, answer, []);
  return { assistant, person, filled };
}

/** The user's accounts as they are when the day begins. */
async function openGoogle({ google }: Session) {
  if (google === undefined) return { config: {}, env: {}, accounts: [], close: () => undefined };
  const gmail = new FixtureGmail();
  const calendar = new FixtureCalendar();
  for (const mail of google.mails) gmail.add(mail);
  for (const event of google.events) calendar.add(event);
  const { endpoints, env, close } = await serveGoogle({ handlers: [gmail.handler, calendar.handler] });
  return { config: { endpoints }, env, accounts: ['gmail', 'calendar'] as const, close };
}

/** The rounds of all turns, each turn ending in words. */
function scriptOf({ turns }: Session, filled: (text: string) => string): ScriptedTurn[] {
  let number = 0;
  const roundOf = (calls: readonly Call[]): ScriptedTurn => ({
    text: 'Let me see.',
    blocks: calls.map(({ tool, input }) => ({
      type: 'tool_use',
      id: callId(number++),
      name: tool,
      input: filledInput(input, filled),
    })),
  });
  return turns.flatMap(({ rounds, answer }) => [...rounds.map((calls) => roundOf([calls].flat())), { text: answer }]);
}

const callId = (number: number) => `toolu_${String(number).padStart(4, '0')}`;

function filledInput(input: Call['input'], filled: (text: string) => string): Call['input'] {
  return JSON.parse(
    JSON.stringify(input, (_key, value: unknown) => (typeof value === 'string' ? filled(value) : value)),
  );
}

async function converse(
  session: Session,
  { services, signal }: RunningAssistant,
  filled: (text: string) => string,
  problems: string[],
): Promise<void> {
  const calls = new Map(callsOf(session).map((call, index) => [callId(index), call]));
  const listener: Listener = (event) => {
    if (event.type === 'error') problems.push(`${event.code}: ${event.message}`);
    if (event.type !== 'tool_result') return;
    const call = calls.get(event.id);
    calls.delete(event.id);
    const hasFailed = event.isError || FAILURE.test(event.text);
    if (call === undefined) return;
    const wanted = [
      hasFailed === (call.isToFail === true) ? '' : `should ${call.isToFail === true ? '' : 'not '}fail`,
      event.text.includes(call.says ?? '') ? '' : `should say "${call.says}"`,
    ].filter((words) => words !== '');
    if (wanted.length === 0) return;
    problems.push(`${call.tool} ${JSON.stringify(call.input)} ${wanted.join(' and ')}: ${event.text.slice(-600)}`);
  };
  let conversation = null;
  for (const turn of session.turns) {
    const content = [{ type: 'text', text: filled(turn.person) } as const];
    const message = { content };
    const origin = { by: 'user', typed: filled(turn.person), pasted: '' } as const;
    const request = { message, origin, conversation, title: session.title, model: undefined };
    const started = await services.openPrompt({ command: { kind: 'message', text: filled(turn.person) }, ...request });
    conversation = started.conversation;
    const stopReason = await started.run({ signal, listener });
    if (stopReason !== 'end_turn') problems.push(`a turn ended with ${stopReason}`);
  }
  for (const { tool, input } of calls.values()) problems.push(`${tool} ${JSON.stringify(input)} was never called`);
}
