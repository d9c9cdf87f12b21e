import type { ServerRemark } from '../../../src-preload/contract/pasted-text.ts';
import { askedText, type NamedText, type WrittenServer, type WrittenText } from './written-server.ts';

/**
 * The options of `docker run` and its like that take no value. Source:
 * https://docs.docker.com/reference/cli/docker/container/run.
 */
const WITHOUT_VALUE =
  /^(?:-[ditPq]+|--(?:interactive|tty|rm|init|detach|privileged|read-only|publish-all|quiet|no-healthcheck|oom-kill-disable|sig-proxy|disable-content-trust|replace|use-api-socket)(?:=.*)?)$/;
/** The container runtime itself reads these: they must not change for it. */
const OWN_VARIABLES =
  /^(?:PATH|HOME|USER|TMPDIR|TEMP|TMP|XDG_\w+|LD_\w+|DYLD_\w+|SSH_\w+|DOCKER_\w+|CONTAINER_\w+|BUILDKIT_\w+|COMPOSE_\w+)$/i;

export function isContainerRunner(command: string): boolean {
  return /(?:^|[\\/])(?:docker|podman|nerdctl|finch)(?:\.exe)?$/i.test(command);
}

/** The index of the image in the arguments of `docker run`; -1 if there is none. */
function imageAt(args: readonly string[]): number {
  const run = args.findIndex((arg) => arg === 'run' || arg === 'exec' || arg === 'create');
  if (run < 0) return -1;
  let at = run + 1;
  while (at < args.length) {
    const arg = args[at] ?? '';
    if (!arg.startsWith('-')) return at;
    // `-eNAME=value` and `--env=NAME=value` are complete; so are options without a value.
    const isComplete = WITHOUT_VALUE.test(arg) || /^--[\w-]+=/.test(arg) || /^-[a-zA-Z]*?[evpwumlh]./s.test(arg);
    at += isComplete ? 1 : 2;
  }
  return -1;
}

export function imageIn(args: readonly string[]): string | undefined {
  return args[imageAt(args)];
}

/** `-e NAME=value` becomes `-e NAME` and a variable of the runtime, which passes it on; a bare `-e NAME` needs one. */
export function withContainerVariables(server: WrittenServer): WrittenServer {
  if (!isContainerRunner(server.command)) return server;
  const texts = server.args.map(({ text }) => text);
  const end = imageAt(texts);
  const args: WrittenText[] = [];
  const env: NamedText[] = [...server.env];
  const remarks: ServerRemark[] = [];
  const passed = (name: string, value: string | undefined) => {
    if (env.some((each) => each.name === name)) return;
    if (value !== undefined) env.push({ name, text: value });
    else if (!OWN_VARIABLES.test(name)) env.push({ name, ...askedText({ hint: name }) });
  };
  for (let at = 0; at < texts.length; at += 1) {
    const text = texts[at] ?? '';
    const written = server.args[at] ?? { text };
    const option = end >= 0 && at >= end ? undefined : /^(-e|--env)(?:=?(.+))?$/s.exec(text);
    const file = end >= 0 && at >= end ? undefined : /^--env-file(?:=(.+))?$/s.exec(text);
    if (file) remarks.push({ code: 'env_file', path: file[1] ?? texts[at + 1] ?? '' });
    if (!option || text === '--env-file') {
      args.push(written);
      continue;
    }
    const [, flag = '-e', glued] = option;
    const assigned = glued ?? texts[at + 1] ?? '';
    const [, name = '', value] = /^([A-Za-z_]\w*)(?:=(.*))?$/s.exec(assigned) ?? [];
    if (name === '' || (value !== undefined && OWN_VARIABLES.test(name))) {
      args.push(written);
      continue;
    }
    if (glued === undefined) at += 1;
    // `-e NAME=$NAME` passes the variable of the same name on.
    passed(name, value === undefined || value === `$${name}` || value === `\${${name}}` ? undefined : value);
    args.push({ text: flag, isFixed: true }, { text: name, isFixed: true });
  }
  return { ...server, args, env, remarks: [...server.remarks, ...remarks] };
}
