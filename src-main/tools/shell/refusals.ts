import { relative, resolve } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { Refusal, RefusalKind } from '../../../src-preload/contract/refusals.ts';
import { isInside } from '../../base/paths.ts';

/** Where a command was held. All paths are real and absolute. */
export interface HeldPlace {
  readonly directory: string;
  readonly home: string;
  readonly roots: readonly string[];
  /** The root that it could write. Without it, none. */
  readonly writable?: string | undefined;
  /** What it could not change in there. */
  readonly kept: readonly string[];
  /** What it could not open. */
  readonly hidden: readonly string[];
  /** It had a network: which hosts were refused is known, and not guessed. */
  readonly hasNetwork: boolean;
}

/** Errors are at the end of what a program prints. */
const LOOKED_AT = 16_000;
const LONGEST_LINE = 1_000;
const LONGEST_NAME = 200;
const MOST = 3;
/** Node prints the code of an error once more, without what it is about. */
const REPEATED = /^ {0,8}code: 'E/;

/**
 * What the sandbox probably refused a command, from the end of what it printed. Several of a kind that name
 * something make one without a name superfluous. The text is untrusted: it can choose among these kinds and name a path
 * or a host, no more.
 */
export function refusalsIn(printed: string, place: HeldPlace): readonly Refusal[] {
  const lines = printed
    .slice(-LOOKED_AT)
    .split(/[\r\n]+/)
    .filter((line) => !REPEATED.test(line));
  const found = new Map<string, Refusal>();
  for (const line of lines) {
    const refusal = refusalIn(stripVTControlCharacters(line.slice(0, LONGEST_LINE)), place);
    if (refusal !== undefined) found.set(`${refusal.kind} ${refusal.what ?? ''}`, refusal);
  }
  const all = [...found.values()];
  const isNamed = (kind: RefusalKind) => all.some((each) => each.kind === kind && each.what !== undefined);
  return all.filter(({ kind, what }) => what !== undefined || !isNamed(kind)).slice(0, MOST);
}

/** A class of error texts. The first whose sign is in a line judges it. */
interface ErrorClass {
  readonly sign: RegExp;
  readonly refusal: (line: string, place: HeldPlace) => Refusal | undefined;
}

const always = (kind: RefusalKind) => () => ({ kind });

const CLASSES: readonly ErrorClass[] = [
  { sign: /\bconnect to the Docker daemon\b|\bdocker\.sock\b/, refusal: always('docker') },
  { sign: /\bmessage bus\b|\bconnect to (?:session |system )?bus\b|\bautolaunch D-Bus\b/i, refusal: always('bus') },
  {
    sign: /\b(?:open|connect to) (?:X )?display\b|\bMissing X server\b|^xdg-open: no method available/,
    refusal: always('display'),
  },
  { sign: /\bconnect to the agent\b|\bto your authentication agent\b/, refusal: always('agent') },
  {
    sign: /\bcreate new namespace\b|\bmove to new namespace\b|\bNo usable sandbox\b|\bSUID sandbox helper\b/,
    refusal: always('rights'),
  },
  { sign: /^(?:chown|chgrp): .*: Invalid argument$/, refusal: always('rights') },
  {
    sign: /^(?:unshare|nsenter|mount|umount|chroot|mknod|sysctl|iptables|nft|RTNETLINK answers|su)\b.*(?:operation not permitted|permission denied|must be superuser)/i,
    refusal: always('rights'),
  },
  {
    sign: /\bresolve host\b|\bresolve hostname\b|\bin name resolution\b|\bName or service not known\b|\bEAI_AGAIN\b|\bgetaddrinfo ENOTFOUND\b|\bUnknownHostException\b|\bquery[A-Z]\w{0,9} ECONNREFUSED\b/i,
    refusal: noNetwork,
  },
  { sign: /\bnetwork (?:is )?unreachable\b|\bENETUNREACH\b|^ping: .*\bSOCK_RAW\b/i, refusal: noNetwork },
  {
    sign: /\bcheck your (?:internet|network) connection\b/i,
    refusal: (_, { hasNetwork }) => (hasNetwork ? undefined : { kind: 'network' }),
  },
  {
    sign: /\bconnection refused\b|\bECONNREFUSED\b|\b(?:connect to|server) .*: Couldn't connect/i,
    refusal: connection,
  },
  { sign: /\bAddress family not supported\b|\bEAFNOSUPPORT\b/, refusal: socket },
  { sign: /\bread-only file system\b|\bEROFS\b/i, refusal: write },
  { sign: /\bpermission denied\b|\bEACCES\b/i, refusal: hidden },
  { sign: /\bDevice or resource busy\b|\bEBUSY\b/, refusal: busy },
  { sign: /\bno such file or directory\b|\bENOENT\b/i, refusal: absent },
  { sign: /\bno space left on device\b|\bENOSPC\b/i, refusal: space },
];

function refusalIn(line: string, place: HeldPlace): Refusal | undefined {
  return CLASSES.find(({ sign }) => sign.test(line))?.refusal(line, place);
}

/** Where a line names a host that was not reached. */
const HOSTS: readonly RegExp[] = [
  /\bhttps?:\/\/([a-z\d_.-]{1,253})/i,
  /\b(?:host|hostname|host address|lookup|UnknownHostException|EAI_AGAIN|ENOTFOUND|query[A-Z]\w{0,9} ECONNREFUSED|Resolving|connect to|connection to|lookup failure):? {1,2}[‘'"]?([a-z\d_-]{1,63}\.[a-z\d_.-]{1,189})/i,
];
/** An address of this computer. */
const LOCAL = /\b(localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3})\)?(?::|,? port )(\d{1,5})\b/i;

function noNetwork(line: string, { hasNetwork }: HeldPlace): Refusal | undefined {
  return hasNetwork ? undefined : network(line);
}

function network(line: string): Refusal {
  const host = HOSTS.map((pattern) => pattern.exec(line)?.[1]).find((each) => each !== undefined);
  return host === undefined ? { kind: 'network' } : { kind: 'network', what: host.replace(/\.$/, '').toLowerCase() };
}

/** Only an address of this computer refuses a connection, since inside there is no other. */
function connection(line: string): Refusal {
  const [, host, port] = LOCAL.exec(line) ?? [];
  if (host !== undefined) return { kind: 'service', what: `${host.toLowerCase()}:${port}` };
  const refusal = network(line);
  return refusal.what === undefined ? { kind: 'service' } : refusal;
}

function socket(line: string): Refusal {
  const path = pathIn(line);
  return path?.startsWith('/') ? { kind: 'socket', what: path } : { kind: 'socket' };
}

function write(line: string, place: HeldPlace): Refusal {
  const kept = namedIn(line, place.kept, place);
  if (kept !== undefined) return { kind: 'kept', what: shown(kept, place) };
  const path = pathIn(line);
  const real = path === undefined ? undefined : realOf(path, place);
  // The program changed to another folder first.
  const isElsewhere = real !== undefined && place.writable !== undefined && isInside(place.writable, real);
  return real === undefined || isElsewhere ? { kind: 'write' } : { kind: 'write', what: shown(real, place) };
}

/** Most files that may not be opened are so without the sandbox too. */
function hidden(line: string, place: HeldPlace): Refusal | undefined {
  const real = namedIn(line, place.hidden, place);
  return real === undefined ? undefined : { kind: 'secret', what: shown(real, place) };
}

/** What is mounted by itself can be neither removed nor replaced. */
function busy(line: string, place: HeldPlace): Refusal | undefined {
  const secret = hidden(line, place);
  if (secret !== undefined) return secret;
  const kept = namedIn(line, place.kept, place);
  if (kept !== undefined) return { kind: 'kept', what: shown(kept, place) };
  const real = outsidePath(line, place);
  return real === undefined || !isInside(place.home, real) ? undefined : { kind: 'write', what: shown(real, place) };
}

/** Where people and services keep files, which exist inside only as far as they are roots. */
const NOT_INSIDE = ['/home', '/root', '/mnt', '/media', '/srv', '/run', '/var'];

function absent(line: string, place: HeldPlace): Refusal | undefined {
  const real = outsidePath(line, place);
  if (real === undefined) return undefined;
  if (isInside('/dev', real)) return { kind: 'device', what: real };
  const isHidden = [place.home, ...NOT_INSIDE].some((folder) => isInside(folder, real));
  return isHidden ? { kind: 'absent', what: shown(real, place) } : undefined;
}

/** Temporary files and the home are in memory. */
function space(line: string, place: HeldPlace): Refusal | undefined {
  const real = outsidePath(line, place);
  if (real === undefined) return undefined;
  const isInMemory = [place.home, '/tmp', '/var/tmp'].some((folder) => isInside(folder, real));
  return isInMemory ? { kind: 'space', what: shown(real, place) } : undefined;
}

const QUOTED = /(?<=^|[\s(=:,])["'‘“`]([^"'’”`]{1,300})["'’”]/g;
const UNQUOTED = /(?<=^|[\s(=:])([^\s:;,"'()/]{0,99}\/[^\s:;,"'()]{1,300})(?=$|[:;,)]| [-(])/g;
/** Neither blanks nor anything that could be taken for the end of a path, or for words. */
const NAME = /^[\p{L}\p{N}_.+@~%,=#/-]+$/u;
const ERROR_CODE = /^E[A-Z\d]+$/;

/** The path that an error is most probably about. In `mv a /b` that is the last. */
function pathIn(line: string): string | undefined {
  const quoted = [...line.matchAll(QUOTED)].map(([, path = '']) => path).filter((path) => !ERROR_CODE.test(path));
  const unquoted = [...line.matchAll(UNQUOTED)].map(([, path = '']) => path);
  const path = quoted.findLast((each) => each.includes('/')) ?? unquoted.at(-1) ?? quoted.at(-1);
  return path !== undefined && isName(path) ? path : undefined;
}

/** The same if it is in no root. A relative one may have been meant from any folder. The real path. */
function outsidePath(line: string, place: HeldPlace): string | undefined {
  const path = pathIn(line);
  if (path === undefined || !/^[/~]/.test(path)) return undefined;
  const real = realOf(path, place);
  return place.roots.some((root) => isInside(root, real)) ? undefined : real;
}

function isName(path: string): boolean {
  return path.length <= LONGEST_NAME && NAME.test(path) && !path.startsWith('//');
}

/** A word of the line that is the path of one of these, or of something in them. The real path. */
function namedIn(line: string, paths: readonly string[], place: HeldPlace): string | undefined {
  const words = line.split(/[\s"'‘’“”`():,;]+/).filter(isName);
  return words.map((word) => realOf(word, place)).find((real) => paths.some((path) => isInside(path, real)));
}

function realOf(path: string, { directory, home }: HeldPlace): string {
  return path.startsWith('~/') ? resolve(home, path.slice('~/'.length)) : resolve(directory, path);
}

function shown(real: string, { directory, home }: HeldPlace): string {
  if (isInside(directory, real)) return relative(directory, real) || '.';
  return isInside(home, real) ? `~/${relative(home, real)}` : real;
}
