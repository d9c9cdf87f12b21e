import { isContainerRunner } from './container-run.ts';
import { packageIn, programName, withoutWrappers } from './other-commands.ts';

const STARTS_SERVERS =
  /^(?:npx|bunx|pnpx|uvx|node|nodejs|python[\d.]*|py|deno|bun|tsx|ts-node|java|dnx|ruby|php|cmd|mcp-remote|supergateway|mcp-proxy)$/;
/** What a shell is used for beside servers. */
export const INSTALLS =
  /^(?:git|pip[\d.]*|brew|apt|apt-get|dnf|yum|pacman|apk|snap|choco|scoop|winget|curl|wget|cd|mkdir|cp|mv|rm|cat|echo|printf|make|cmake|chmod|chown|source|\.|which|where|conda|mamba|poetry|pdm|rye|hatch|mvn|mvnw|gradle|gradlew|ls|touch|nano|vim|vi|open|export|set|setx|unset|alias|test|tail|head|grep|jq|kill|pkill|sed|systemctl|service|ssh|scp|nvm|fnm|volta|rustup|gcloud|aws|az|gh|heroku|kubectl|helm|terraform|psql|mysql|sqlite3|redis-cli|createdb|openssl|tar|unzip|ln|pwd|ps|lsof|npm|pnpm|yarn|corepack|env|claude-code|playwright|xattr|xcode-select|iwr|irm|iex|invoke-webrequest|invoke-restmethod|new-item|get-command|start|docker-compose|pre-commit|pytest|ruff|mypy|black|cross-env|true|exit|for|if|while|function|return|import|from|const|let|var|print|sudo)$/;
/** The first word after a package that has it do something else than serve. */
const NOT_SERVING =
  /^(?:install|uninstall|setup|init|login|logout|auth|authenticate|authorize|add|remove|configure|config|update|upgrade|doctor|test|help|version|list|status|whoami|deploy|build|onboard|register|migrate|generate|create|--help|-h|--version|-v|-V|--init|--setup|--install|--login|--auth|--configure)$/;
const DEVELOPER_PACKAGES =
  /^(?:create-.*|tsc|typescript|jest|vitest|prettier|eslint|playwright|wrangler|vercel|netlify|prisma|husky|tsup|esbuild|vite|rimraf|turbo|nx|lerna|changeset|npm-check-updates|node-gyp|@biomejs\/biome|@changesets\/cli|skills|degit|tiged|cross-env|nodemon|concurrently|http-server|serve|ngrok|localtunnel|smee-client|mcpb|@anthropic-ai\/(?:mcpb|dxt)|dxt|mcp-publisher|pytest|ruff|mypy|black|pip|build|twine|pre-commit|venv|hatch|coverage)$/;

const BUN_SCRIPTS =
  /^(?:install|i|add|remove|test|build|init|create|upgrade|link|pm|dev|lint|format|typecheck|check|setup)(?::\w+)?$/;

/** Whether people's instructions use this program, for servers or for something else. */
export function isKnownProgram(program: string): boolean {
  const isRunner = /^(?:uv|pipx|docker|podman|go|cargo|dotnet|sh|bash)$/.test(program);
  return isRunner || INSTALLS.test(program) || STARTS_SERVERS.test(program);
}

/** Whether a command starts a server, as far as its words can say it. */
export function isServing(command: string, args: readonly string[]): boolean {
  const [inner = '', ...rest] = withoutWrappers([command, ...args]);
  const program = programName(inner);
  const words = rest.filter((arg) => !arg.startsWith('-'));
  const [first = '', second = ''] = words;
  if (/[{}]/.test(inner) || (/[<>]/.test(inner) && !/^<[\w /\\-]+>/.test(inner))) return false;
  if (rest.length === 1 && /^(?:-{0,2}(?:version|help)|-[vVh])$/.test(rest[0] ?? '')) return false;
  const started = packageIn([inner, ...rest]);
  if (isContainerRunner(inner) && NOT_SERVING.test(rest.at(-1) ?? '') && /^[a-z]/.test(rest.at(-1) ?? '')) return false;
  if (isContainerRunner(inner))
    return (
      first === 'run' ||
      first === 'exec' ||
      (first === 'mcp' && second === 'gateway') ||
      (first === 'compose' && second === 'run') ||
      (first === 'container' && second === 'run')
    );
  if (started !== undefined && !/^(?:npm|uv|pnpm|yarn|bun|deno|pipx)$/.test(program)) return servesPackage(started);
  switch (program) {
    case 'npm':
      return first === 'exec' && started !== undefined && servesPackage(started);
    case 'pnpm':
    case 'yarn':
      return /^(?:dlx|exec)$/.test(first) && started !== undefined && servesPackage(started);
    case 'pipx':
      return first === 'run' && started !== undefined && servesPackage(started);
    case 'uv':
      return (
        words.some((word, index) => word === 'run' || (word === 'tool' && words[index + 1] === 'run')) &&
        started !== undefined &&
        !/^(?:pytest|ruff|mypy|black|pip|pre-commit|alembic)$/.test(started.name)
      );
    case 'bun':
      return first !== '' && !BUN_SCRIPTS.test(first === 'run' ? second : first);
    case 'deno':
      return first === 'run' || /^(?:jsr|npm):/.test(first);
    case 'go':
      return first === 'run';
    case 'cargo':
      return first === 'run';
    case 'dotnet':
      return (
        first === 'run' ||
        first === 'exec' ||
        first === 'dnx' ||
        (first === 'tool' && second === 'run') ||
        /\.dll$/i.test(first)
      );
    case 'python':
    case 'python3':
    case 'py':
      return (
        rest.length > 0 &&
        !(
          rest.includes('-m') &&
          /^(?:venv|pip|pytest|build|ensurepip|virtualenv|http\.server|unittest)$/.test(
            rest[rest.indexOf('-m') + 1] ?? '',
          )
        ) &&
        rest[0] !== '-c'
      );
    case 'node':
    case 'nodejs':
      return (
        first !== '' &&
        rest[0] !== '-e' &&
        rest[0] !== '-p' &&
        !/(?:^|[\\/])(?:setup|install|build|test|auth|login)[\w-]*\.[cm]?js$/i.test(first)
      );
    case 'sh':
    case 'bash':
      return rest.includes('-c') && rest.length >= 2;
    default:
      return STARTS_SERVERS.test(program) ? rest.length > 0 : servesUnknown(inner, rest);
  }
}

function servesPackage({ name, rest }: { readonly name: string; readonly rest: readonly string[] }): boolean {
  return (
    !DEVELOPER_PACKAGES.test(name) &&
    !NOT_SERVING.test(rest[0] ?? '') &&
    !/^--(?:login|logout|version|help)$/.test(rest.at(-1) ?? '') &&
    /^[@\w<{[$./~%]/.test(name)
  );
}

/** A program of the server's own: it looks like one, and the line is no sentence. */
function servesUnknown(command: string, args: readonly string[]): boolean {
  if (INSTALLS.test(programName(command)) || !/^[\w@./\\:~%$-]+$/.test(command.replace(/ /g, '_'))) return false;
  if (/[:.,!?]$/.test(command) || /[.!?]$/.test(args.at(-1) ?? '') || NOT_SERVING.test(args[0] ?? '')) return false;
  const isPath = /^(?:\.{0,2}|~|[A-Za-z]:|%\w+%|\$\w+)?[\\/][^\\/]/.test(command);
  if (/^\/\w+$|\.(?:jsonc?|md|toml|ya?ml|txt|env|log|html?|png|svg)$/i.test(command)) return false;
  const hasOption = args.some((arg) => /^--?[a-z]/i.test(arg));
  return (
    isPath ||
    (/mcp/i.test(command) && /^[a-z]/.test(command) && (hasOption || args.length <= 1)) ||
    (hasOption &&
      /^[a-z][\w.-]*$/.test(command) &&
      args.every((arg) => !/^[A-Z][a-z]+$/.test(arg)) &&
      args.length <= 12 &&
      /^-/.test(args[0] ?? ''))
  );
}
