import { parseArgs } from 'node:util';
import type { ApproveFlag } from '../../src-preload/contract/decision-reason.ts';
import { errorMessage } from '../base/errors.ts';

export interface AskArguments {
  readonly profile: string | undefined;
  readonly workspace: string | undefined;
  readonly model: string | undefined;
  /** A conversation id, or `last`. */
  readonly conversation: string | undefined;
  /** Undefined asks on the terminal if there is one, and is `none` otherwise. */
  readonly approve: ApproveFlag | undefined;
  /** What is done in the workspace and the granted folders needs no answer in this run. */
  readonly workFreely: boolean;
  /** See `ServicesOptions`. */
  readonly sandbox: 'auto' | 'off';
  readonly json: boolean;
  /** Addresses may be opened in a browser, also for signing in. */
  readonly signIn: boolean;
  /** Standard input and output belong to a program that brings tools. */
  readonly client: boolean;
  /** A file with what it registers. */
  readonly runInput: string | undefined;
  readonly prompt: string;
}

export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** What is typed before the arguments if Steward runs from its sources. */
export const SOURCES_COMMAND = 'npm run --silent ask --';

/** `command` is what is typed before the arguments. */
export const usage = (command: string): string => `Usage: ${command} [options] "prompt"

  --profile DIR           where config.json, the database and its backups are kept
  --workspace DIR         the folder to work in (default: workingDirectory of config.json, else this folder)
  --model ID              provider:model, a provider's name, a Claude model id, or guide
  --conversation ID|last  continue a conversation
  --approve none|reads|all
                          instead of asking: deny, allow reads and public network, or allow everything
                          (default: ask on the terminal if there is one, else none)
  --work-freely           in this run, edits in the workspace and granted folders, and commands held
                          in a sandbox there, need no answer
  --sandbox auto|off      hold commands in a sandbox where this computer can (default), or never
  --json                  one event per line
  --client                this program brings tools: it is asked on standard output, and answers on
                          standard input (needs --json; docs/CLIENT-TOOLS.md)
  --run-input FILE        the tools that it brings (needs --client)
  --sign-in               may open a browser, where a server asks for that
  -                       as the prompt: read it from standard input
  --help, --version       print this, or the version, and exit

A prompt that begins with / is a command: /help lists them.`;

/** What is printed instead of running anything. */
export type Information = 'help' | 'version';

/** Throws `UsageError` with a message that says what was wrong. */
export function parseAskArguments(argv: readonly string[]): AskArguments | Information {
  const { values, positionals } = parse(argv);
  if (values.help) return 'help';
  if (values.version) return 'version';
  const approve = values.approve;
  if (approve !== undefined && !isApprove(approve)) {
    throw new UsageError(`--approve takes none, reads or all, not "${approve}".`);
  }
  const sandbox = values.sandbox ?? 'auto';
  if (sandbox !== 'auto' && sandbox !== 'off') throw new UsageError(`--sandbox takes auto or off, not "${sandbox}".`);
  for (const name of ['profile', 'workspace', 'model', 'conversation', 'run-input'] as const) {
    if (values[name]?.trim() === '') throw new UsageError(`--${name} needs a value.`);
  }
  const prompt = positionals.join(' ');
  if (prompt.trim() === '') throw new UsageError('There is no prompt. Give it as the last argument, in quotes.');
  needClientOptions(values, prompt);
  return {
    profile: values.profile,
    workspace: values.workspace,
    model: values.model,
    conversation: values.conversation,
    approve,
    workFreely: values['work-freely'] ?? false,
    sandbox,
    json: values.json ?? false,
    signIn: values['sign-in'] ?? false,
    client: values.client ?? false,
    runInput: values['run-input'],
    prompt,
  };
}

function needClientOptions(values: ReturnType<typeof parse>['values'], prompt: string): void {
  if (values['run-input'] !== undefined && values.client !== true) throw new UsageError('--run-input needs --client.');
  if (values.client !== true) return;
  if (values.json !== true)
    throw new UsageError('--client needs --json: the client is asked on standard output, one event per line.');
  if (prompt === '-')
    throw new UsageError('With --client, standard input belongs to the client. Give the prompt as the last argument.');
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      allowPositionals: true,
      strict: true,
      options: {
        profile: { type: 'string' },
        workspace: { type: 'string' },
        'sign-in': { type: 'boolean' },
        model: { type: 'string' },
        conversation: { type: 'string' },
        approve: { type: 'string' },
        'work-freely': { type: 'boolean' },
        sandbox: { type: 'string' },
        json: { type: 'boolean' },
        client: { type: 'boolean' },
        'run-input': { type: 'string' },
        help: { type: 'boolean', short: 'h' },
        version: { type: 'boolean' },
      },
    });
  } catch (error) {
    throw new UsageError(errorMessage(error));
  }
}

function isApprove(value: string): value is ApproveFlag {
  return value === 'none' || value === 'reads' || value === 'all';
}
