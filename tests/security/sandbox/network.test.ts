import { once } from 'node:events';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { beforeEach, describe, expect, onTestFinished, type TestContext, test } from 'vitest';
import { GatedPlace } from '../../fixtures/gate/gated-place.ts';
import { needPython } from '../../fixtures/machine-needs.ts';
import { ATTACKERS } from './attack-place.ts';

/** What commands in the network of a gate try to reach without it. Each attempt works outside. */

/** Listens on loopback in all ways. Prints the ports, and then who came. */
const LISTENERS = `
import os, socket, threading
def listen(family, kind, address):
    s = socket.socket(family, kind)
    s.bind(address)
    if kind == socket.SOCK_STREAM: s.listen(5)
    def receive():
        while True:
            (s.accept() if kind == socket.SOCK_STREAM else s.recv(100))
            open('arrived', 'a').write('x')
    threading.Thread(target=receive).start()
    return s.getsockname()[1] if family != socket.AF_UNIX else 0
ports = [listen(socket.AF_INET, socket.SOCK_STREAM, ('0.0.0.0', 0)), listen(socket.AF_INET6, socket.SOCK_STREAM, ('::1', 0)),
  listen(socket.AF_INET, socket.SOCK_DGRAM, ('0.0.0.0', 0)), listen(socket.AF_INET6, socket.SOCK_DGRAM, ('::1', 0))]
listen(socket.AF_UNIX, socket.SOCK_STREAM, '\\0' + os.getcwd())
open('ports', 'w').write(' '.join(map(str, ports)))
`;
const SENDER = `
import os, socket
tcp4, tcp6, udp4, udp6 = map(int, open('ports').read().split())
def attempt(name, family, kind, address, data=b''):
    s = socket.socket(family, kind)
    s.settimeout(5)
    s.connect(address)
    if data: s.sendall(data)
    if kind == socket.SOCK_DGRAM: s.sendall(b'x')
    elif data: print(s.recv(500).decode().split('\\r')[0])
    else: print(name, 'connected')
V4, V6, TCP, UDP = socket.AF_INET, socket.AF_INET6, socket.SOCK_STREAM, socket.SOCK_DGRAM
for each in [
  ('loopback', V4, TCP, ('127.0.0.1', tcp4)), ('another', V4, TCP, ('127.7.7.7', tcp4)), ('any', V4, TCP, ('0.0.0.0', tcp4)),
  ('loopback 6', V6, TCP, ('::1', tcp6)), ('mapped', V6, TCP, ('::ffff:127.0.0.1', tcp4)), ('any 6', V6, TCP, ('::', tcp6)),
  ('hexadecimal', V4, TCP, ('0x7f.1', tcp4)), ('decimal', V4, TCP, ('2130706433', tcp4)), ('name', V4, TCP, ('localhost', tcp4)),
  ('udp', V4, UDP, ('127.0.0.1', udp4)), ('udp 6', V6, UDP, ('::1', udp6)),
  ('abstract', socket.AF_UNIX, TCP, '\\0' + os.getcwd())]:
    try: attempt(*each)
    except OSError: pass
`;
const BY_PROXY = (port: string) => `
import socket
for host in ['127.0.0.1', '127.1', '0x7f000001', '2130706433', '0', '0.0.0.0', '[::1]', '[::]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]',
  'localhost', 'LOCALHOST.', 'a.localhost', '198.18.0.1', '198.18.0.2', '198.18.77.1', '[fd53:7465:7761:7264::1]', 'a\\0.example', 'a b', 'a' * 64 + '.example']:
    for line in [f'CONNECT {host}:${port} HTTP/1.1', f'GET http://{host}:${port}/ HTTP/1.1']:
        s = socket.create_connection(('198.18.0.1', 3128))
        s.settimeout(5)
        s.sendall((line + '\\r\\nHost: a\\r\\n\\r\\n').encode())
        print(s.recv(100).decode()[9:12])
        s.close()
`;
const python = (code: string) => `/usr/bin/python3 - <<'END'\n${code}\nEND`;

/** The processes that began in this one's folder, whatever their parents are now. */
function processesIn(folder: string): readonly string[] {
  return readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      return readlinkSync(`/proc/${pid}/cwd`).startsWith(folder);
    } catch {
      // It has ended, or is a zombie.
      return false;
    }
  });
}

const ofCommand = (pid: string) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')[0] ?? '';
/** In ticks of the clock. */
const timeOf = (pid: string) =>
  readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/.*\) /, '')
    .split(' ')
    .slice(11, 13)
    .map(Number)
    .reduce((one, other) => one + other);

describe.each(ATTACKERS)('as %s', (attacker) => {
  const ordinaryUser = attacker === 'an ordinary user';
  let context: TestContext;
  let place: GatedPlace;
  beforeEach(async (given) => {
    context = given;
    needPython(context);
    place = await GatedPlace.open(context, { ordinaryUser });
  });

  test('no service of this computer is reached, however its address is spelled', async () => {
    void place.bare(python(LISTENERS));
    await expect.poll(() => place.bare('wc -w < ports')).toBe('4\n');
    expect(await place.held(python(SENDER))).toBe('');
    const [port = ''] = (await place.bare('cat ports')).split(' ');
    const answers = (await place.held(python(BY_PROXY(port)))).trim().split('\n');
    expect(answers).toHaveLength(40);
    expect(new Set(answers)).toEqual(new Set(['403', '400']));
    expect(await place.bare('cat arrived')).toMatch(/No such file/);
    expect(place.wanted).toEqual([]);
    const outside = await place.bare(python(SENDER));
    expect(outside.match(/connected/g)?.length).toBe(10);
    await expect.poll(() => place.bare('cat arrived')).toMatch(/x{11}/);
  });

  test('names tell nothing to anybody, and nobody else can be asked', async () => {
    const asked = await place.held('for each in one two three; do getent ahostsv4 $each.secret.example; done');
    expect(asked.match(/198\.18\.1\.\d+ +STREAM/g)).toHaveLength(3);
    const send = `
import socket
for host in ['198.51.100.1', '198.18.0.1', '2001:db8::1', '255.255.255.255', '224.0.0.251']:
    for port in [53, 123, 443, 5353]:
        s = socket.socket(socket.AF_INET6 if ':' in host else socket.AF_INET, socket.SOCK_DGRAM)
        s.settimeout(0.3)
        try:
            s.connect((host, port)); s.send(b'x' * 20); s.recv(100); print('answer', host, port)
        except OSError: pass
`;
    expect(await place.held(python(send))).not.toMatch(/answer (?!198\.18\.0\.1 53)/);
    expect(await place.held(`${python("import socket; socket.create_connection(('198.51.100.1', 53))")}`)).toMatch(
      /refused/,
    );
    expect(place.wanted).toEqual([]);
  });

  test('the network can’t be changed, and nothing raw be sent', async () => {
    const change = [
      'ip link set lo down',
      'ip route del default',
      'ip address add 198.18.0.9/30 dev eth0',
      'ip link add a type dummy',
      'echo 1 > /proc/sys/net/ipv4/ip_forward',
      'unshare --net true',
      'nsenter --net=/proc/1/ns/net true',
    ];
    for (const line of change) expect(await place.held(`${line} && echo through`)).not.toContain('through');
    for (const kind of ['AF_INET, socket.SOCK_RAW, 1', 'AF_PACKET, socket.SOCK_RAW, 3', 'AF_UNIX, socket.SOCK_STREAM'])
      expect(await place.held(python(`import socket; socket.socket(socket.${kind}); print('through')`))).not.toContain(
        '\nthrough',
      );
  });

  test('the helpers are not seen, and end neither by a command nor after Steward', async () => {
    const helpers = processesIn(place.root).filter((pid) => /socat$/.test(ofCommand(pid)));
    expect(helpers).toHaveLength(8);
    for (const pid of helpers) {
      expect(readFileSync(`/proc/${pid}/environ`, 'utf8')).not.toContain('text-that-must-not-get-in');
      expect(readdirSync(`/proc/${pid}/fd`).length).toBeLessThan(8);
    }
    expect(await place.held('cat /proc/[0-9]*/cmdline')).not.toContain('socat');
    await place.held(`kill -9 ${helpers.join(' ')}; kill -9 -1`);
    const before = helpers.map(timeOf);
    const going = place.held('sleep 100');
    expect(await place.held('getent ahostsv4 a.example')).toContain('198.18.1.0');
    expect(helpers.map(timeOf).map((time, index) => time - (before[index] ?? 0))).toEqual(helpers.map(() => 0));
    place.process.kill('SIGKILL');
    void going;
    await expect
      .poll(() => processesIn(place.root).filter((pid) => /socat|sleep|bash/.test(ofCommand(pid))))
      .toEqual([]);
  });

  test('the sockets of the gate are not found where the temporary folder is in the root', async () => {
    const find = 'find temporary | grep -E "relay|proxy|names"';
    expect(await place.held(find)).not.toMatch(/gate-/);
    expect(await place.bare(find)).toMatch(/gate-\w+\/proxy/);
    expect(await place.held('chmod -R 777 temporary; rm -rf temporary/*; mv temporary gone || echo held')).toContain(
      'held',
    );
    expect(await place.held('getent ahostsv4 a.example')).toContain('198.18.1.0');
  });

  test('commands of two gates don’t reach each other', async () => {
    const other = await GatedPlace.open(context, { ordinaryUser });
    const listen = "/usr/bin/python3 -m http.server --bind '::' 8099";
    void other.held(listen);
    const see = (host: string) => `curl -sS -m 2 --noproxy '*' http://${host}:8099/ | grep -c Directory`;
    await expect.poll(() => other.held(see('198.18.0.2'))).toMatch(/^[1-9]/);
    for (const host of ['127.0.0.1', '198.18.0.2', '[fd53:7465:7761:7264::2]'])
      expect(await place.held(see(host))).toMatch(/^0/m);
  });

  test('more connections than it passes on leave the gate as it was', async () => {
    const server = createServer((socket) => void socket.on('error', () => socket.destroy()).resume());
    server.listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const ports = { 'many.example:443': (server.address() as AddressInfo).port };
    const busy = await GatedPlace.open(context, { ordinaryUser, ports });
    const flood = `
import socket
import time
address = socket.getaddrinfo('many.example', 443, socket.AF_INET)[0][4]
open_ones = []
for each in range(600):
    s = socket.socket()
    s.setblocking(False)
    try: s.connect(address)
    except BlockingIOError: pass
    open_ones.append(s)
time.sleep(2)
print('done')
`;
    expect(await busy.held(python(flood))).toBe('done\n');
    expect(busy.wanted.length).toBeLessThanOrEqual(256);
    await expect.poll(() => busy.held('exec 3<>/dev/tcp/many.example/443 && echo open')).toBe('open\n');
  });
});
