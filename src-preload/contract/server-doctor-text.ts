import type { DoctorAdvice, DoctorFact, DoctorReport, DoctorStep, RuntimeName } from './server-doctor.ts';

const TITLES: Readonly<Record<DoctorStep['id'], string>> = {
  entry: 'The entry in config.json',
  secrets: 'Keychain entries',
  search_path: 'Where programs are looked for',
  program: 'The program',
  directory: 'The working folder',
  runtime: 'Versions',
  address: 'The address',
  lookup: 'Looking up the host',
  port: 'Connecting to the port',
  tls: 'The secure connection',
  start: 'Starting the server',
  messages: 'Protocol messages',
};

const OUTCOMES: Readonly<Record<DoctorStep['outcome'], string>> = {
  ok: 'OK',
  warning: 'Warning',
  problem: 'Problem',
  skipped: 'Skipped',
};

const PRODUCTS: Readonly<Record<RuntimeName, string>> = {
  node: 'Node.js',
  npx: 'npx',
  uv: 'uv',
  python: 'Python',
  dotnet: 'the .NET SDK',
  docker: 'Docker',
  go: 'Go',
};

const DOWNLOADS: Readonly<Record<RuntimeName, string>> = {
  node: 'https://nodejs.org',
  npx: 'https://nodejs.org',
  uv: 'https://docs.astral.sh/uv',
  python: 'https://www.python.org',
  dotnet: 'https://dotnet.microsoft.com/download',
  docker: 'https://docs.docker.com/get-docker',
  go: 'https://go.dev/dl',
};

const PATH_SOURCES = {
  environment: 'the environment that Steward was started with',
  'login-shell': 'your login shell',
  entry: 'PATH in the entry’s env',
} as const;

/** Texts for system codes; other codes are shown unchanged. */
const ERRORS: Readonly<Record<string, string>> = {
  ENOTFOUND: 'The host was not found',
  EAI_AGAIN: 'The lookup failed; there may be no internet connection',
  ECONNREFUSED: 'The connection was refused',
  ECONNRESET: 'The connection was closed at once',
  ETIMEDOUT: 'There was no answer in time',
  EHOSTUNREACH: 'The host cannot be reached',
  ENETUNREACH: 'The network cannot be reached',
  CERT_HAS_EXPIRED: 'The certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'The certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'The certificate comes from an unknown authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'The certificate could not be verified',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'The certificate could not be verified',
  ERR_TLS_CERT_ALTNAME_INVALID: 'The certificate is for another host',
};

export function stepTitle({ id }: Pick<DoctorStep, 'id'>): string {
  return TITLES[id];
}

export function outcomeText({ outcome }: Pick<DoctorStep, 'outcome'>): string {
  return OUTCOMES[outcome];
}

/** The fact in one line, or in one with more below it. */
export function factText(fact: DoctorFact): string {
  switch (fact.code) {
    case 'field':
      return `${fact.name}: ${fact.value}`;
    case 'no_entry':
      return 'config.json has no server with this name.';
    case 'not_configured':
      return 'The entry has neither a command nor a URL.';
    case 'not_confirmed':
      return 'You haven’t confirmed this entry yet, so Steward didn’t start it or connect to it.';
    case 'disabled':
      return 'The server is switched off, so it was not started.';
    case 'bundled':
      return 'This server comes with Steward.';
    case 'came_before':
      return `Not tried, because of the problem in “${TITLES[fact.step]}”.`;
    case 'keychain_entry':
      return fact.isSet ? `${fact.name} is set.` : `${fact.name} is not in the keychain.`;
    case 'search_path':
      return fact.folders.length === 0
        ? `There are no folders in PATH, which comes from ${PATH_SOURCES[fact.source]}.`
        : `PATH comes from ${PATH_SOURCES[fact.source]}:\n${fact.folders.join('\n')}`;
    case 'program':
      return `Found: ${fact.path}`;
    case 'program_missing':
      return `${fact.command} was not found in any of these folders.`;
    case 'directory':
      return fact.exists ? `It runs in ${fact.path}.` : `The folder ${fact.path} does not exist.`;
    case 'runtime':
      return `${PRODUCTS[fact.runtime]} ${fact.version} (${fact.path})`;
    case 'runtime_missing':
      return `${PRODUCTS[fact.runtime]} was not found.`;
    case 'runtime_failed':
      return withLines(
        `${PRODUCTS[fact.runtime]} did not report its version.`,
        fact.output === '' ? [] : [fact.output],
      );
    case 'address':
      return `${fact.host}, port ${fact.port}: ${fact.isPrivate ? 'on this machine or your own network' : 'on the internet'}.`;
    case 'url_refused':
      return `The URL can’t be used: ${fact.reason}.`;
    case 'addresses':
      return `Found: ${fact.addresses.join(', ')}`;
    case 'became_private':
      return `The URL names a public host, but leads to a private network (${fact.addresses.join(', ')}). Steward doesn’t connect to it.`;
    case 'failed':
      return `${ERRORS[fact.error] ?? fact.error}.`;
    case 'connected':
      return `Connected to ${fact.address} in ${fact.ms} ms.`;
    case 'certificate':
      return `${fact.protocol}, certificate by ${fact.issuer}, valid until ${fact.validTo}.`;
    case 'ready':
      return readyText(fact);
    case 'exited':
      return fact.exitCode === null
        ? `Its process was ended by ${fact.signal ?? 'a signal'}.`
        : `Its process ended with code ${fact.exitCode}.`;
    case 'stderr':
      return withLines('The last lines that it wrote to stderr:', fact.lines);
    case 'stray':
      return withLines(
        fact.count === 1
          ? 'It printed a line to stdout that is not a protocol message:'
          : `It printed ${fact.count} lines to stdout that are not protocol messages:`,
        fact.lines,
      );
    case 'timed_out':
      return `There was no answer within ${fact.seconds} seconds.`;
    case 'http_status':
      return withLines(`It answered with HTTP status ${fact.status}.`, fact.body === '' ? [] : [fact.body]);
    case 'listing_failed':
      return 'It connected, but listing its tools failed.';
    case 'sign_in':
      return 'It answers only after you sign in.';
    case 'said':
      return fact.text;
    case 'message':
      return withLines(messageText(fact), [fact.text]);
    case 'messages':
      return `${fact.sent} sent, ${fact.received} received.`;
  }
}

export function adviceText(advice: DoctorAdvice): string {
  switch (advice.code) {
    case 'listing_failed':
      return 'Its resources and prompts can be used. The log shows what it answered when its tools were listed.';
    case 'confirm':
      return 'Review and confirm the entry. Until then it has no effect.';
    case 'enable':
      return 'Switch the server on.';
    case 'edit':
      return 'Edit the server, and enter a command or a URL.';
    case 'check_program':
      return 'Check that the command is a program, and that you may run it.';
    case 'check_connection':
      return 'Check the URL, your connection, and whether the server is running.';
    case 'not_mcp':
      return 'What answers there doesn’t speak MCP as it should. Check the command or the URL; the log shows what it sent.';
    case 'try_later':
      return 'The service is having problems or received too many requests. Try again later.';
    case 'sign_in':
      return 'Sign in to the server. If it takes a key instead, add the header that it asks for.';
    case 'forbidden':
      return 'Your account or key isn’t allowed to use this server. Check its permissions where it was made.';
    case 'check_url':
      return 'Check the path of the URL: many servers end in /mcp, older ones in /sse.';
    case 'private_address':
      return 'If the server is meant to be on your own network, write its private address into the URL and confirm it.';
    case 'set_secret':
      return `Edit the server and enter ${advice.name}. It is kept in the keychain.`;
    case 'install':
      return `Install ${PRODUCTS[advice.program]} (${DOWNLOADS[advice.program]}), then restart the server.`;
    case 'full_path':
      return `If ${advice.command} is installed, write its full path as the command.`;
    case 'other_node':
      return advice.version === null
        ? 'The server needs another version of Node.js. Install a current one.'
        : `The server may need a newer Node.js than ${advice.version}. Install a current one, or write the full path of another node as the command.`;
    case 'start_docker':
      return 'Start Docker, and wait until it is running.';
    case 'dotnet_build':
      return 'Build the project once, and add --no-build to the arguments after “run”: build messages on stdout disturb the protocol.';
    case 'keep_stdout_clean':
      return 'A server may print only protocol messages to stdout. These lines were skipped; report them to the server’s author.';
    case 'read_stderr':
      return 'What it wrote usually gives the reason. The log has all of it.';
    case 'crashed':
      return 'The program crashed. Restart the server; if it happens again, install another version or report it to the server’s author.';
    case 'ended_from_outside':
      return advice.signal === 'SIGKILL'
        ? 'Another program or the system ended it. The system does this when memory runs out. Close other programs, then restart the server.'
        : 'Another program or the system ended it. Restart the server.';
    case 'slow_start':
      return 'The first start may download packages. Try again in a minute; if it stays like this, run the command in a terminal.';
    case 'missing_module':
      return 'A file or package is missing. Check the paths in the arguments, and install what the server’s instructions name.';
    case 'closed_port':
      return advice.isOwnMachine
        ? `Nothing listens on port ${advice.port} of this machine. Start the program that provides the server.`
        : `Nothing answers on port ${advice.port} of ${advice.host}. Check the port, and whether a firewall or VPN is in between.`;
    case 'host_unknown':
      return `Check the spelling of ${advice.host}, and your internet connection or VPN.`;
    case 'certificate':
      return 'Steward connects only to servers whose certificate is valid. Ask the server’s operator to renew it.';
    case 'plain_http':
      return 'This port doesn’t speak TLS. If the server is on your own machine, the URL probably begins with http://.';
    case 'other_transport':
      return `The server may speak another transport. Try "transport": "${advice.use}".`;
  }
}

/** The whole report as plain text, for copying. */
export function reportText({ server, steps }: DoctorReport): string {
  const lines = steps.flatMap((step, index) => [
    `${index + 1}. ${stepTitle(step)}: ${outcomeText(step)}`,
    ...step.facts.map((fact) => indented(factText(fact))),
    ...step.advice.map((advice) => indented(`→ ${adviceText(advice)}`)),
  ]);
  return [`MCP server ${server}`, ...lines].join('\n');
}

function readyText({ wasRunning, pid, protocolVersion, era, tools }: Extract<DoctorFact, { code: 'ready' }>): string {
  const what = [
    wasRunning ? 'It is running' : 'It started',
    ...(pid === undefined ? [] : [`process ${pid}`]),
    ...(protocolVersion === undefined ? [] : [`protocol ${protocolVersion}`]),
    ...(era === undefined ? [] : [era === 'modern' ? 'later era' : 'older era']),
    tools === 1 ? '1 tool' : `${tools} tools`,
  ];
  return `${what.join(', ')}.`;
}

function messageText({ kind, direction, method }: Extract<DoctorFact, { code: 'message' }>): string {
  const named = method ?? 'a message';
  if (kind === 'unanswered') return `The server did not answer ${named}:`;
  return direction === 'received' ? `The server answered ${named} with an error:` : `Steward refused ${named}:`;
}

function withLines(first: string, lines: readonly string[]): string {
  return [first, ...lines].join('\n');
}

function indented(text: string): string {
  return text.replace(/^/gm, '   ');
}
