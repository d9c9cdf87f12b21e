/** Why a server is not connected, as data; `problemText` makes the sentence. */
export type ServerProblem =
  /** Its entry in config.json names neither a program nor a URL. */
  | { readonly code: 'not_configured' }
  /** A `${keychain:NAME}` without a keychain entry. */
  | { readonly code: 'secret_missing'; readonly secret: string }
  | { readonly code: 'command_not_found'; readonly command: string; readonly searchPath: string }
  | { readonly code: 'not_started'; readonly reason: string }
  /** `stderr`: the last lines. */
  | {
      readonly code: 'exited';
      readonly exitCode: number | null;
      readonly signal: string | null;
      readonly stderr: string;
    }
  | { readonly code: 'timed_out'; readonly seconds: number }
  | { readonly code: 'http_status'; readonly status: number; readonly body: string }
  /** Its address is private although the configured one is not, or it redirects elsewhere. */
  | { readonly code: 'address_not_allowed'; readonly url: string }
  | { readonly code: 'unreachable'; readonly reason: string }
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

/** For people: completes "MCP server 'x' failed to connect: …". */
export function problemText(problem: ServerProblem): string {
  switch (problem.code) {
    case 'not_configured':
      return 'its entry has neither a command nor a url';
    case 'secret_missing':
      return `${problem.secret} is not in the keychain`;
    case 'command_not_found':
      return `the program ${problem.command} was not found in PATH (${problem.searchPath})`;
    case 'not_started':
    case 'unreachable':
    case 'protocol':
      return problem.reason;
    case 'exited': {
      const how = problem.exitCode === null ? `was ended by ${problem.signal}` : `ended with code ${problem.exitCode}`;
      return problem.stderr === '' ? `its process ${how}` : `its process ${how}: ${problem.stderr}`;
    }
    case 'timed_out':
      return `no answer within ${problem.seconds} seconds`;
    case 'http_status':
      return problem.body === '' ? `HTTP ${problem.status}` : `HTTP ${problem.status}: ${problem.body}`;
    case 'address_not_allowed':
      return `${problem.url} is on a private network, and the configured address is not`;
  }
}

/** For people and the model. Source: design section 7 ("Ask"). */
export function signInText(server: string): string {
  return `MCP server '${server}' needs you to sign in. Do so in Settings under MCP servers (mcpServers.${server}), or run ask with --sign-in.`;
}

/** Whether the problem may go away on its own. */
export function mayPass({ code }: ServerProblem): boolean {
  return (
    code === 'exited' || code === 'timed_out' || code === 'unreachable' || code === 'http_status' || code === 'protocol'
  );
}
