import { afterEach, beforeEach, describe, expect, type TestContext, test } from 'vitest';
import { need, needPython } from '../../fixtures/machine-needs.ts';
import { ATTACKERS, AttackPlace } from './attack-place.ts';

/** Sockets, other processes, and calls of the kernel that have helped others to get out. */

/** Listens in all ways and writes what arrives to $OUTSIDE/arrived. Prints the ports. */
const LISTENERS = `
import os, socket, threading
arrived = open(os.environ['OUTSIDE'] + '/arrived', 'a', buffering=1)
def listen(name, family, kind, address):
    s = socket.socket(family, kind)
    s.bind(address)
    if kind == socket.SOCK_STREAM: s.listen(5)
    def receive():
        while True:
            (s.accept() if kind == socket.SOCK_STREAM else s.recv(100))
            arrived.write(name + '\\n')
    threading.Thread(target=receive).start()
    return s.getsockname()[1] if family != socket.AF_UNIX else 0
base = os.environ['PROJECT']
ports = [listen('tcp4', socket.AF_INET, socket.SOCK_STREAM, ('127.0.0.1', 0)),
  listen('udp4', socket.AF_INET, socket.SOCK_DGRAM, ('127.0.0.1', 0)),
  listen('tcp6', socket.AF_INET6, socket.SOCK_STREAM, ('::1', 0)),
  listen('udp6', socket.AF_INET6, socket.SOCK_DGRAM, ('::1', 0))]
listen('stream', socket.AF_UNIX, socket.SOCK_STREAM, base + '/stream')
listen('datagram', socket.AF_UNIX, socket.SOCK_DGRAM, base + '/datagram')
listen('pair', socket.AF_UNIX, socket.SOCK_DGRAM, base + '/pair')
listen('raw', socket.AF_UNIX, socket.SOCK_DGRAM, base + '/raw')
listen('abstract', socket.AF_UNIX, socket.SOCK_STREAM, '\\0' + base)
print(','.join(map(str, ports)))
`;

/** Sends to each of those; 'pair' and 'raw' by one of two sockets that are connected to each other. */
const SENDER = (ports: string) => `
import ctypes, os, socket, struct
libc = ctypes.CDLL(None)
base = os.environ['PROJECT']
tcp4, udp4, tcp6, udp6 = ${ports}
def connect(family, address): socket.socket(family, socket.SOCK_STREAM).connect(address)
def send(family, address): socket.socket(family, socket.SOCK_DGRAM).sendto(b'x', address)
def by_pair(kind, path):
    two = (ctypes.c_int * 2)()
    if libc.socketpair(socket.AF_UNIX, kind, 0, two) != 0: raise OSError('no pair')
    address = struct.pack('H', socket.AF_UNIX) + path.encode() + b'\\0'
    libc.sendto(two[0], b'x', 1, 0, address, len(address))
for attempt in (lambda: connect(socket.AF_INET, ('127.0.0.1', tcp4)), lambda: send(socket.AF_INET, ('127.0.0.1', udp4)),
  lambda: connect(socket.AF_INET6, ('::1', tcp6)), lambda: send(socket.AF_INET6, ('::1', udp6)),
  lambda: connect(socket.AF_UNIX, base + '/stream'), lambda: send(socket.AF_UNIX, base + '/datagram'),
  lambda: connect(socket.AF_UNIX, '\\0' + base), lambda: by_pair(2, base + '/pair'), lambda: by_pair(3, base + '/raw')):
    try: attempt()
    except OSError: pass
`;

const WAYS = ['abstract', 'datagram', 'pair', 'raw', 'stream', 'tcp4', 'tcp6', 'udp4', 'udp6'];

/** A process that lets anybody trace it who may, wherever the system asks for that. */
const VICTIM = `
import ctypes, os, time
ctypes.CDLL(None).prctl(0x59616d61, -1, 0, 0, 0)
text = ctypes.create_string_buffer(b'as it was')
print(f'{os.getpid()} {ctypes.addressof(text)}')
while True:
    time.sleep(0.1)
    open(os.environ['OUTSIDE'] + '/text', 'w').write(text.value.decode())
`;

describe.each(ATTACKERS)('as %s', (attacker) => {
  const isRoot = process.getuid?.() === 0 && attacker === ATTACKERS[0];
  let place: AttackPlace;
  let context: TestContext;
  beforeEach((given) => {
    context = given;
    needPython(context);
    place = new AttackPlace(context, attacker);
  });
  afterEach(() => place?.dispose());

  test('no service of this machine is reached, by any kind of socket', async () => {
    place.put('outside/arrived', '');
    const attack = { python: SENDER((await place.target(LISTENERS)).trim()) };
    await place.held(attack);
    expect(place.read('outside/arrived')).toBe('');
    await place.bare(attack);
    await expect.poll(() => place.read('outside/arrived').trim().split('\n').sort()).toEqual(WAYS);
  });

  test('there is no network but a loopback of its own', async () => {
    const python = 'import socket; print([name for _, name in socket.if_nameindex()])';
    need(context, /eth|en|wl/.test(await place.bare({ python })), 'needs a machine with a network');
    expect(await place.held({ python })).toBe("['lo']\n");
  });

  test('the name server isn’t reached', async () => {
    const bash =
      'for each in $(sed -n "s/^nameserver //p" /etc/resolv.conf) 192.0.2.1; do echo > /dev/udp/$each/53; done';
    expect(await place.held({ bash })).toMatch(/unreachable/);
    expect(await place.bare({ bash: 'echo > /dev/udp/127.0.0.1/53' })).toBe('');
  });

  test('other processes are neither seen nor traced, written to or ended', async () => {
    const [pid, address] = (await place.target(VICTIM)).trim().split(' ');
    const python = `
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
if libc.ptrace(16, ${pid}, None, None) == 0: os.waitpid(${pid}, 0); libc.ptrace(17, ${pid}, None, None); print('traced')
for each in [p for p in os.listdir('/proc') if p.isdigit()]:
    try:
        if b'\\0-u\\0-c\\0' not in open(f'/proc/{each}/cmdline', 'rb').read(): continue
        print('seen')
    except OSError: pass
try:
    memory = open('/proc/${pid}/mem', 'r+b', buffering=0)
    memory.seek(${address})
    memory.write(b'changed\\0')
except OSError: pass
`;
    expect(await place.held({ python })).not.toMatch(/traced|seen/);
    await place.held({ bash: `kill -9 ${pid}; kill -9 -1` });
    await expect.poll(() => place.read('outside/text')).toBe('as it was');
    expect(await place.bare({ python })).toMatch(/traced\n(?:.*\n)*seen/);
    await expect.poll(() => place.read('outside/text')).toBe('changed');
  });

  test('nothing is typed into a terminal', async () => {
    // On a terminal of its own: the ioctl is what is refused, wherever the kernel has it.
    const python = `
import fcntl, os, pty, termios
pid, terminal = pty.fork()
if pid == 0:
    try: fcntl.ioctl(0, termios.TIOCSTI, b'x'); print('typed', flush=True)
    except OSError as error: print('errno', error.errno, flush=True)
    os._exit(0)
try: print(os.read(terminal, 100).decode())
except OSError: pass
`;
    expect(await place.held({ python })).toMatch(/errno 1\b/);
    expect(await place.bare({ python })).toMatch(/^x|typed|errno 5/);
    expect(await place.held({ bash: 'echo x > /dev/tty' })).toMatch(/No such device/);
  });

  /** Numbers of x86-64 and arm64. Some are allowed to root alone, and some not by each kernel. */
  test.each<[string, string, 'root'?]>([
    ['a user namespace', 'libc.unshare(0x10000000)'],
    ['a clone in a user namespace', 'libc.syscall(X64 and 56 or 220, 0x10000011, 0, 0, 0, 0)'],
    ['a network namespace', 'libc.unshare(0x50000000)'],
    ['keyctl', 'libc.syscall(X64 and 250 or 219, 0, -3, 1)'],
    ['add_key', "libc.syscall(X64 and 248 or 217, b'user', b'steward', b'x', 1, -2)"],
    ['bpf', 'libc.syscall(X64 and 321 or 280, 0, bpf, 72)', 'root'],
    ['io_uring', 'libc.syscall(425, 4, empty)'],
    ['userfaultfd', 'libc.syscall(X64 and 323 or 282, 1)'],
    ['perf_event_open', 'libc.syscall(X64 and 298 or 241, perf, 0, -1, -1, 0)', 'root'],
    ['memory that isn’t counted', 'libc.syscall(447, 0)'],
    ['shared memory that isn’t counted', 'libc.shmget(0, ctypes.c_size_t(2 ** 28), 0o1600)'],
    ['a filesystem', "libc.syscall(430, b'tmpfs', 0)", 'root'],
    ['a copy of a tree', "libc.syscall(428, -100, b'/', 1)", 'root'],
    ['a raw socket', 'libc.socket(2, 3, 1)', 'root'],
    ['a packet socket', 'libc.socket(17, 3, 0)', 'root'],
    ['vsock', 'libc.socket(40, 1, 0)'],
    ['chroot', "libc.chroot(b'/')", 'root'],
    ['the log of the kernel', 'libc.klogctl(10, 0, 0)', 'root'],
  ])('the kernel refuses %s', async (name, call, needed) => {
    const python = `
import ctypes, errno, platform
X64 = platform.machine() == 'x86_64'
libc = ctypes.CDLL(None, use_errno=True)
empty = ctypes.create_string_buffer(256)
bpf = ctypes.create_string_buffer(bytes([2, 0, 0, 0, 4, 0, 0, 0, 4, 0, 0, 0, 1, 0, 0, 0]), 128)
perf = ctypes.create_string_buffer(bytes([1, 0, 0, 0, 112, 0, 0, 0]), 128)
print('through' if ${call} >= 0 else errno.errorcode[ctypes.get_errno()])
`;
    expect(await place.held({ python })).toMatch(/^(?:EPERM|ENOMEM|EPROTONOSUPPORT|EAFNOSUPPORT)\n$/);
    if (needed === 'root' && !isRoot) return;
    const bare = await place.bare({ python });
    need(context, bare.includes('through'), `needs a system that allows this user ${name}`);
  });
});
