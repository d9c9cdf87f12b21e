import type {
  PasteFormat,
  PasteProblem,
  ServerRemark,
  UnreadEntry,
} from '../../../src-preload/contract/pasted-text.ts';
import type { SignInStep } from '../../../src-preload/contract/server-sign-in.ts';
import type {
  FileProblem,
  Prerequisite,
  ServerRow,
  ServerText,
  ServerTransport,
  ShownServer,
  TemplateId,
} from '../../../src-preload/contract/servers.ts';
import type { ToolClass } from '../../../src-preload/contract/tool-class.ts';
import { counted, sizeText } from '../../ui/amounts.ts';

export const TRANSPORT_TEXTS: Readonly<Record<ServerTransport, string>> = {
  stdio: 'Program',
  http: 'HTTP',
  sse: 'SSE',
  bundled: 'Comes with Steward',
};

export const CLASS_TEXTS: Readonly<Record<ToolClass, { readonly label: string; readonly note: string }>> = {
  read: { label: 'Read', note: 'runs without asking' },
  write: { label: 'Write', note: 'asks' },
  send: { label: 'Send', note: 'always asks' },
};

export const TEXT_TEXTS: Readonly<Record<ServerText, { readonly label: string; readonly note: string }>> = {
  outside: {
    label: 'Other people’s',
    note: 'Messages, issues or documents written by others. Steward treats what it reads as private and as text from outside.',
  },
  public: {
    label: 'Public',
    note: 'Anyone can read it, and anyone may have written it. Treated as text from outside.',
  },
  own: { label: 'Only mine', note: 'Only you can write there. Treated as private, not as text from outside.' },
};

/** Says who may have written a project file. */
export const PROJECT_TEXT = 'Whoever made this folder chose these servers.';

export const ARGUMENT_KEY_TEXT = 'Other programs on this computer can read a program’s arguments while it runs.';

export const SIGN_IN_STEPS: Readonly<Record<SignInStep, string>> = {
  discovering: 'Finding out where to sign in…',
  asking: 'Waiting for your answer…',
  browser: 'Continue in your browser…',
  finishing: 'Finishing…',
};

/** How a state is drawn: working, waiting for the user, failed, or neutral. */
export type StateTone = 'good' | 'waiting' | 'wrong' | 'quiet';

export function stateText({ state, isEnabled }: ServerRow): { readonly text: string; readonly tone: StateTone } {
  if (state.name === 'invalid') return { text: 'Mistake in config.json', tone: 'wrong' };
  if (state.name === 'stopping') return { text: 'Stopping…', tone: 'quiet' };
  if (!isEnabled) return { text: 'Off', tone: 'quiet' };
  switch (state.name) {
    case 'off':
      return { text: 'Starts when it is first used', tone: 'quiet' };
    case 'starting':
      return { text: 'Starting…', tone: 'quiet' };
    case 'ready':
      return { text: 'Ready', tone: 'good' };
    case 'needs-sign-in':
      return { text: 'Needs sign-in', tone: 'waiting' };
    case 'unconfirmed':
      return { text: 'Changed in config.json: not used until you confirm it', tone: 'waiting' };
    case 'failed':
      return { text: withNextTry('Failed', state.retryAt), tone: 'wrong' };
    case 'listing-failed':
      return { text: withNextTry('Connected, but listing its tools failed', state.retryAt), tone: 'wrong' };
  }
}

function withNextTry(text: string, retryAt: number | null): string {
  return retryAt === null ? text : `${text}, next try ${inSeconds(retryAt)}`;
}

function inSeconds(at: number): string {
  const seconds = Math.round((at - Date.now()) / 1_000);
  return seconds < 1 ? 'now' : `in ${seconds} s`;
}

export function usageText({ pid, usage }: ServerRow): string | null {
  if (pid === null) return null;
  if (usage === null) return `Process ${pid}`;
  const cpu = usage.cpuPercent === null ? '' : ` · ${usage.cpuPercent.toFixed(usage.cpuPercent < 10 ? 1 : 0)} % CPU`;
  return `Process ${pid} · ${sizeText(usage.memoryBytes)}${cpu}`;
}

export function toolsText({ tools }: ServerRow): string | null {
  return tools === null ? null : counted(tools, 'tool');
}

export function remarkText(remark: ServerRemark): string {
  switch (remark.code) {
    case 'approval':
      return 'Its “always allow” list is not taken over. You decide here which tools run without asking.';
    case 'disabled':
      return 'It is switched off in the other app.';
    case 'left_out':
      return `“${remark.key}” is not used by Steward and was left out.`;
    case 'key_in_argument':
      return `${remark.name} is passed as an argument. Other programs on this computer can read it while the server runs.`;
    case 'key_in_address':
      return `${remark.name} is part of the address and is written to config.json as it is.`;
    case 'relative_path':
      return `“${remark.text}” depends on the folder or shell it is started from. Replace it with the full path.`;
    case 'shell':
      return `“${remark.text}” is understood only by a shell. Steward starts programs without one.`;
    case 'mixed_alphabets':
      return `“${remark.text}” mixes letters that look alike. Check that it is what you mean.`;
    case 'hidden_character':
      return 'The text contains characters that can’t be seen.';
    case 'env_file':
      return `Variables are in the file ${remark.path}, which was not read.`;
    case 'project':
      return `The other app uses it only in ${remark.path}.`;
    case 'old_transport':
      return 'The address looks like one of the old SSE transport.';
    case 'time_out':
      return `Its time-out of ${remark.written} was read as milliseconds.`;
  }
}

export function pasteText(problem: PasteProblem): string {
  switch (problem.code) {
    case 'empty':
      return 'Paste something first.';
    case 'bad_json':
      return `This is not valid JSON: line ${problem.line}, column ${problem.column}: ${problem.reason}.`;
    case 'bad_syntax':
      return `This is ${FORMAT_TEXTS[problem.format]}, but line ${problem.line} can’t be read: ${problem.reason}.`;
    case 'not_an_object':
      return 'This is valid JSON, but not an object in { }.';
    case 'no_servers':
      return 'No server was found in this text.';
    case 'bad_entries':
      return problem.entries.map(unreadText).join(' ');
    case 'unclosed_quote':
      return 'A quote in the command line is not closed.';
    case 'bad_link':
      return 'The server in this install link can’t be read. Copy the link again.';
    case 'unknown_link':
      return 'This is not an install link for an MCP server.';
    case 'other_program':
      return `Line ${problem.line} is a command of ${problem.program}, which changes other apps’ settings and doesn’t say what the server is. Paste its JSON instead.`;
    case 'only_installs':
      return `Line ${problem.line} installs something and starts no server. Paste the JSON that comes after it.`;
    case 'too_long':
      return 'This text is too long. Paste only the part about the server.';
  }
}

/** A set-up without a heading. */
export const SETUP_TEXTS: Readonly<Record<PasteFormat, string>> = {
  json: 'JSON',
  vscode: 'VS Code',
  codex: 'Codex',
  opencode: 'OpenCode',
  zed: 'Zed',
  goose: 'Goose',
  continue: 'Continue',
  yaml: 'YAML',
  'server-json': 'server.json',
  link: 'Install link',
  command: 'Command line',
  'add-command': 'Command of another app',
  address: 'Address',
};

const FORMAT_TEXTS: Readonly<Record<PasteFormat, string>> = {
  json: 'a JSON configuration',
  vscode: 'a VS Code configuration',
  codex: 'a Codex configuration',
  opencode: 'an OpenCode configuration',
  zed: 'a Zed configuration',
  goose: 'a Goose configuration',
  continue: 'a Continue configuration',
  yaml: 'YAML',
  'server-json': 'a server.json',
  link: 'an install link',
  command: 'a command line',
  'add-command': 'a command of another app',
  address: 'an address',
};

export function unreadText({ name, code, text }: UnreadEntry): string {
  switch (code) {
    case 'no_reach':
      return `“${name}” has neither a command nor a URL.`;
    case 'not_an_object':
      return `“${name}” is not an object in { }.`;
    case 'bad_url':
      return `The URL of “${name}” can’t be used: ${text}.`;
    case 'other_program':
      return `“${name}” starts ${text}, which is another app’s own command.`;
    case 'unknown_package':
      return `“${name}” is a package of a kind that Steward can’t start: ${text}.`;
    case 'too_many':
      return 'There are more servers than can be shown.';
  }
}

export function fileProblemText(problem: FileProblem | PasteProblem): string {
  switch (problem.code) {
    case 'unreadable':
      return `This file can’t be read: ${problem.reason}.`;
    case 'file_too_large':
      return `This file is too large (${sizeText(problem.bytes)}; at most ${sizeText(problem.most)} are read).`;
    default:
      return pasteText(problem);
  }
}

/** What is started, or reached. */
export function reachText({ command, args, url }: ShownServer): string {
  return command === '' ? url : [command, ...args].join(' ');
}

export function missingText(programs: readonly string[]): string {
  const [first = '', ...others] = programs;
  return others.length === 0
    ? `${first} was not found on this computer.`
    : `${first} and ${others.join(', ')} were not found on this computer.`;
}

interface TemplateText {
  readonly name: string;
  readonly about: string;
  readonly folder: string;
  readonly steps: readonly string[];
  readonly limits: readonly string[];
}

/** Source: tool catalogue C.7, C.8, G. */
export const TEMPLATE_TEXTS: Readonly<Record<TemplateId, TemplateText>> = {
  whatsapp: {
    name: 'WhatsApp',
    about: 'Reads your chats and sends messages as you, through lharries/whatsapp-mcp. Sending always asks.',
    folder: 'Folder of whatsapp-mcp',
    steps: [
      'Get the source: git clone https://github.com/lharries/whatsapp-mcp',
      'In a terminal, in its folder whatsapp-bridge: go run main.go. Scan the QR code with your phone (Settings, Linked devices). It changes about once a minute.',
      'Leave that terminal open. Steward needs the bridge running, and doesn’t start it.',
    ],
    limits: [
      'The login lapses after about 20 days: start the bridge again and scan the new QR code.',
      'If the bridge says that it is outdated, update whatsapp-mcp.',
      'History is loaded once, after the first login.',
      'The port 8080 is fixed. Your own messages and some names can be missing, and sending to some groups fails.',
      'On Windows the bridge needs CGO: go env -w CGO_ENABLED=1, and gcc.',
    ],
  },
  'interview-assist': {
    name: 'Interview Assist',
    about: 'Records and transcribes speech, and evaluates sessions. Needs a Deepgram key.',
    folder: 'Folder of the repository',
    steps: ['Get the source of Interview Assist, and build its .NET project once.'],
    limits: ['Speech is sent to Deepgram, and costs money there.', 'At most 2,000 events are kept per session.'],
  },
};

export const PREREQUISITE_TEXTS: Readonly<
  Record<Prerequisite['id'], { readonly name: string; readonly missing: string }>
> = {
  folder: { name: 'Source', missing: 'Not found in this folder.' },
  uv: { name: 'uv', missing: 'Not installed. See docs.astral.sh/uv.' },
  go: { name: 'Go', missing: 'Not installed. See go.dev.' },
  gcc: { name: 'gcc', missing: 'Not installed. The bridge can’t be built on Windows without it: install MSYS2.' },
  ffmpeg: { name: 'ffmpeg', missing: 'Not installed. Only voice messages need it.' },
  'dotnet-sdk': { name: '.NET SDK', missing: 'Not installed. See dotnet.microsoft.com.' },
  python: { name: 'Python', missing: 'Not installed. See python.org.' },
  'port-8080': { name: 'Bridge on port 8080', missing: 'Nothing answers there. Start the bridge first.' },
};

export const EXPOSED_PORT_TEXT =
  'The bridge answers other machines in your network too, and needs no sign-in: anyone there can read and send your messages. Block port 8080 in your firewall.';
