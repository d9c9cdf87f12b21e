import { STATUS_CODES } from 'node:http';

/** What a process wrote besides messages. */
export interface ServerOutput {
  /** The line that says best why it does not work; empty if there is none. */
  readonly telling: string;
  /** The last lines. */
  readonly lines: string;
}

/** Why a server does not work, as data; `problemText` makes the sentence. */
export type ServerProblem =
  /** The server's entry in config.json names neither a program nor a URL. */
  | { readonly code: 'not_configured' }
  /** A `${keychain:NAME}` without a keychain entry. */
  | { readonly code: 'secret_missing'; readonly secret: string }
  | { readonly code: 'command_not_found'; readonly command: string; readonly searchPath: string }
  | { readonly code: 'not_started'; readonly reason: string }
  /** Files that its program could run were changed after text from outside was read. */
  | { readonly code: 'unreviewed_files'; readonly paths: readonly string[] }
  | {
      readonly code: 'exited';
      readonly exitCode: number | null;
      readonly signal: string | null;
      readonly output: ServerOutput;
    }
  /** `output` is null if the server has no process of ours. */
  | { readonly code: 'timed_out'; readonly seconds: number; readonly output: ServerOutput | null }
  /** `text` is what the response says besides its status, and may be empty. */
  | { readonly code: 'http_status'; readonly status: number; readonly text: string }
  /** The server's address is private although the configured one is not, or the server redirects elsewhere. */
  | { readonly code: 'address_not_allowed'; readonly url: string }
  | { readonly code: 'unreachable'; readonly reason: string }
  /** The server's answer is of a type that MCP doesn't know, most often a page. */
  | { readonly code: 'other_content'; readonly mediaType: string }
  | { readonly code: 'protocol'; readonly reason: string };

/** An error that carries a problem. */
export class ServerFailure extends Error {
  override readonly name = 'ServerFailure';
  readonly problem: ServerProblem;

  constructor(problem: ServerProblem, options?: ErrorOptions) {
    super(problemText(problem), options);
    this.problem = problem;
  }
}

/** Completes "MCP server 'x' failed to connect: …" and "… connected, but listing its tools failed: …" for people. */
export function problemText(problem: ServerProblem): string {
  switch (problem.code) {
    case 'not_configured':
      return 'its entry has neither a command nor a url';
    case 'secret_missing':
      return `${problem.secret} is not in the keychain`;
    case 'command_not_found':
      return `the program ${problem.command} was not found in PATH (${problem.searchPath})`;
    case 'unreviewed_files': {
      const [first = '', ...more] = problem.paths;
      const files = more.length === 0 ? first : `${first} and ${more.length} more`;
      return `it could run what was changed after text from outside was read: ${files}. It starts when you have reviewed the changes`;
    }
    case 'not_started':
    case 'unreachable':
    case 'protocol':
      return problem.reason;
    case 'exited': {
      const how = problem.exitCode === null ? `was ended by ${problem.signal}` : `ended with code ${problem.exitCode}`;
      return withEnd(`its process ${how}`, ': ', problem.output.telling);
    }
    case 'timed_out':
      return withEnd(`no answer within ${problem.seconds} seconds`, '. It wrote: ', problem.output?.telling ?? '');
    case 'http_status': {
      const status = [`HTTP ${problem.status}`, STATUS_CODES[problem.status] ?? ''].join(' ').trim();
      return withEnd(status, ': ', problem.text);
    }
    case 'other_content': {
      const what = problem.mediaType === 'text/html' ? 'a web page' : problem.mediaType;
      return `its url answers with ${what}, which is not MCP`;
    }
    case 'address_not_allowed':
      return `${problem.url} is on a private network, and the configured address is not`;
  }
}

/** The text for people, which completes "MCP server 'x' …". */
export function stateProblemText({
  name,
  problem,
}: {
  readonly name: 'failed' | 'listing-failed';
  readonly problem: ServerProblem;
}): string {
  const what = name === 'failed' ? 'failed to connect' : 'connected, but listing its tools failed';
  return `${what}: ${problemText(problem)}`;
}

function withEnd(text: string, between: string, end: string): string {
  return end === '' ? text : `${text}${between}${end}`;
}

/** The text for people and the model. Source: design section 7 ("Ask"). */
export function signInText(server: string): string {
  return `MCP server '${server}' needs you to sign in. Do so in Settings under MCP servers (mcpServers.${server}), or run ask with --sign-in.`;
}

/** Whether the problem may go away on its own. */
export function mayPass({ code }: ServerProblem): boolean {
  return PASSING.has(code);
}

const PASSING: ReadonlySet<ServerProblem['code']> = new Set([
  'exited',
  'timed_out',
  'unreachable',
  'http_status',
  'other_content',
  'protocol',
]);
