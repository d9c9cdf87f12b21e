import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type FileHandle, open } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { CLOSING_DESCRIPTORS } from '../closing-descriptors.ts';
import { BASH, type GatePrograms } from '../installed.ts';
import { COMMANDS_ADDRESS, COMMANDS_ADDRESS_6, GATE_ADDRESS, GATE_ADDRESS_6 } from './addresses.ts';

/**
 * Two network namespaces with one line between them. In that of the commands nothing listens but what they start. In
 * that of the gate every address of the other end of the line is local, so that few listeners meet all connections.
 */

/** Main's sockets, in the folder that the helpers start in: the path to it may be long. */
export const RELAY_SOCKET = 'relay';
export const PROXY_SOCKET = 'proxy';
export const NAMES_SOCKET = 'names';

export const NAME_PORT = 53;
export const PROXY_PORT = 3128;
/** SSH, HTTP, HTTPS and Git. All others are refused by the kernel at once. */
const PORTS = [22, 80, 443, 9418];
/** On the gate's own loopback, which no command can reach. */
const RELAY_PORT = 1;
/** An end that has closed its half may wait this long for the other half: a download can take days. */
const HALF_CLOSED_S = 604_800;
const MOST_CHILDREN = 128;
const WITHIN_MS = 20_000;

/** Runs in the namespace of the commands as the first process of a pid namespace: with it, all helpers end. */
const OF_COMMANDS = `
coproc GATE { exec "$UNSHARE" --net "$BASH" --norc -c "$OF_GATE"; }
read -r -u "\${GATE[0]}" _ || exit 1
"$IP" -batch - <<END || exit 1
link set lo up
link add eth0 type veth peer name gate netns $GATE_PID
address add ${COMMANDS_ADDRESS}/30 dev eth0
link set eth0 up
route add default via ${GATE_ADDRESS}
END
"$IP" -6 -batch - <<END
address add ${COMMANDS_ADDRESS_6}/126 dev eth0 nodad
route add default via ${GATE_ADDRESS_6}
END
echo 0 > /proc/sys/net/ipv4/ip_unprivileged_port_start
echo >&"\${GATE[1]}"
read -r -u "\${GATE[0]}" families || exit 1
echo "$families"
exec >&- 2>&-
read -r _
`;

/** Runs in the namespace of the gate. Says when it is there, and then when all listen. */
const OF_GATE = `
echo
read -r _ || exit 1
"$IP" -batch - <<END || exit 1
link set lo up
address add ${GATE_ADDRESS}/30 dev gate
link set gate up
route add local 0.0.0.0/0 dev lo table main
END
"$IP" -6 -batch - <<END && families=6 || families=4
address add ${GATE_ADDRESS_6}/126 dev gate nodad
route add local ::/0 dev lo table main
END
# For one connection, which is descriptor 0 and 1: says first where it was to go. No file, which could be changed.
relay() {
  exec 3<>/dev/tcp/127.0.0.1/${RELAY_PORT} || exit
  printf '%s %s\\n' "$SOCAT_SOCKADDR" "$SOCAT_SOCKPORT" >&3
  exec "$SOCAT" -t${HALF_CLOSED_S} FD:0,shut-down FD:3,shut-down 2>/dev/null
}
export -f relay
tcp=reuseaddr,backlog=128,max-children=${MOST_CHILDREN}
listen() { "$SOCAT" -t${HALF_CLOSED_S} "$1,fork" "$2" </dev/null >/dev/null 2>&1 & }
for port in ${PORTS.join(' ')}; do listen "TCP$families-LISTEN:$port,$tcp" "EXEC:${BASH} --norc -c relay,nofork"; done
listen TCP4-LISTEN:${NAME_PORT},bind=${GATE_ADDRESS},$tcp "EXEC:${BASH} --norc -c relay,nofork"
listen TCP4-LISTEN:${RELAY_PORT},bind=127.0.0.1,$tcp UNIX-CONNECT:./${RELAY_SOCKET}
listen TCP4-LISTEN:${PROXY_PORT},bind=${GATE_ADDRESS},$tcp UNIX-CONNECT:./${PROXY_SOCKET}
listen UDP4-RECVFROM:${NAME_PORT},bind=${GATE_ADDRESS} UNIX-CONNECT:./${NAMES_SOCKET}
while
  listening=0
  while read -r _ _ _ state _; do [[ $state == 0A ]] && ((listening += 1)); done < <(cat /proc/net/tcp /proc/net/tcp6 2>/dev/null)
  mapfile -t udp < /proc/net/udp
  ((listening < ${PORTS.length + 3} || \${#udp[@]} < 2))
do
  read -r -t 0.002 _
  (($? > 128)) || exit 1
done
echo "$families"
exec >&-
read -r _
`;

export interface Namespace {
  /** The command that starts what follows in the network of the commands. */
  readonly entering: readonly string[];
  readonly hasIPv6: boolean;
  /** Resolves when all helpers have ended. */
  readonly ended: Promise<unknown>;
  close(): Promise<void>;
}

/** Starts the helpers of a gate whose sockets are in this folder. Throws with what the system said. */
export async function openNamespace(folder: string, programs: GatePrograms): Promise<Namespace> {
  const { ip, socat, unshare, nsenter } = programs;
  const apart = ['--user', '--map-current-user', '--keep-caps', '--net', '--pid', '--fork', '--kill-child'];
  const line = [unshare, ...apart, BASH, '--norc', '-c', OF_COMMANDS];
  const child = spawn(
    BASH,
    ['--norc', '--noprofile', '-c', `${CLOSING_DESCRIPTORS} && cd "$OLDPWD" && exec "$@"`, BASH, ...line],
    {
      cwd: folder,
      // In a group of its own: Ctrl+C in a terminal is for Steward, which closes the gate itself.
      detached: true,
      env: { PATH: '/usr/bin:/bin', LC_ALL: 'C', IP: ip, SOCAT: socat, UNSHARE: unshare, OF_GATE },
      stdio: ['pipe', 'pipe', 'pipe'],
    },
  );
  const ended = once(child, 'exit').catch(() => undefined);
  const handles: FileHandle[] = [];
  const close = async () => {
    await ending(child, ended);
    await Promise.all(handles.splice(0).map((handle) => handle.close()));
  };
  try {
    const families = await firstLine(child);
    // Main's own descriptors: a number of a process could mean another one by the time that a command starts.
    for (const kind of ['user', 'net']) handles.push(await open(`/proc/${child.pid}/ns/${kind}`));
    const [user, net] = handles.map(({ fd }) => `/proc/${process.pid}/fd/${fd}`);
    const entering = [nsenter, `--user=${user}`, `--net=${net}`, '--preserve-credentials'];
    return { entering, hasIPv6: families === '6', ended, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function firstLine(child: ChildProcess): Promise<string> {
  const { stdout, stderr } = child;
  if (stdout === null || stderr === null) throw new TypeError('it was started without pipes');
  const said = text(stderr);
  const signal = AbortSignal.timeout(WITHIN_MS);
  for await (const line of createInterface({ input: stdout, signal })) return line;
  child.kill('SIGKILL');
  throw new Error(`no network could be made for commands: ${(await said).trim() || 'it took too long'}`);
}

/** The helpers end when their stdin does, as they would if Steward was killed. */
async function ending(child: ChildProcess, ended: Promise<unknown>): Promise<void> {
  child.stdin?.destroy();
  const late = setTimeout(() => child.kill('SIGKILL'), WITHIN_MS);
  await ended;
  clearTimeout(late);
}
