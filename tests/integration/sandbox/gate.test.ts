import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { GatedPlace } from '../../fixtures/gate/gated-place.ts';
import { needPython, needSystemPackages } from '../../fixtures/machine-needs.ts';

/** Real programs in the network of a gate, beside the same without a sandbox. */

async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listening(server);
  server.close();
  return port;
}

function started(command: string, args: readonly string[]): void {
  const child = spawn(command, args, { stdio: 'ignore' });
  onTestFinished(() => void child.kill());
}

/** Says what it was asked, and by which name. */
const web = () =>
  listening(
    createHttpServer((asked, answer) => {
      let body = '';
      asked.on('data', (bytes) => (body += bytes));
      asked.on('end', () => answer.end(`${asked.method} ${asked.headers.host} ${asked.url} ${body.length}\n`));
    }),
  );

/** Sends back what it gets, and a line when the other end has finished. */
const echo = () =>
  listening(
    createServer({ allowHalfOpen: true }, (socket) => {
      socket.on('error', () => socket.destroy());
      socket.write('SSH-2.0-test\n');
      socket.pipe(socket, { end: false });
      socket.on('end', () => socket.end('finished\n'));
    }),
  );

const FETCH = (url: string) => `node -e "fetch('${url}').then((r) => r.text()).then(console.log)"`;
const URLLIB = (url: string) =>
  `/usr/bin/python3 -c "import urllib.request; print(urllib.request.urlopen('${url}').read())"`;
const CONNECT = (host: string, port: number) => `exec 3<>/dev/tcp/${host}/${port} && echo hello >&3 && head -2 <&3`;

test('programs that know a proxy and those that know none reach what they name', async (context) => {
  needPython(context);
  needSystemPackages(context, 'curl');
  const port = await web();
  const ports = { 'files.example:80': port, 'files.example:8081': port, '192.0.2.7:80': port };
  const place = await GatedPlace.open(context, { ports });
  for (const line of [
    (base: string) => `curl -sS ${base}/a`,
    (base: string) => `curl -sS --noproxy '*' -d text ${base}/a?b=c`,
    (base: string) => `curl -sS ${base}//a/../%61 --path-as-is`,
    (base: string) => `curl -sS ${base}/one ${base}/two`,
    (base: string) => `head -c 300000 /dev/zero | curl -sS -T - ${base}/up`,
    (base: string) => FETCH(`${base}/a`),
    (base: string) => URLLIB(`${base}/a`),
  ]) {
    const bare = await place.bare(line(`http://127.0.0.1:${port}`));
    expect(bare).toMatch(/127\.0\.0\.1/);
    expect(await place.held(line('http://files.example'))).toBe(bare.replaceAll(`127.0.0.1:${port}`, 'files.example'));
  }
  expect(new Set(place.wanted)).toEqual(new Set(['files.example:80']));
  expect(await place.held('curl -sS http://FILES.example.:8081/a')).toContain('/a 0');
  expect(await place.held('curl -sS --noproxy "*" http://192.0.2.7/a')).toBe('GET 192.0.2.7 /a 0\n');
  expect(place.wanted.slice(-2)).toEqual(['files.example:8081', '192.0.2.7:80']);
});

test('encrypted connections end in the program, whatever way they take', async (context) => {
  needSystemPackages(context, 'curl');
  const place = await GatedPlace.open(context, { ports: {} });
  const made =
    'req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=safe.example -addext subjectAltName=DNS:safe.example';
  execFileSync('openssl', [...made.split(' '), '-keyout', 'key', '-out', 'ca'], { cwd: place.root, stdio: 'ignore' });
  const read = (name: string) => execFileSync('cat', [name], { cwd: place.root, encoding: 'utf8' });
  const server = createHttpsServer({ key: read('key'), cert: read('ca') }, (_, answer) => answer.end('safe\n'));
  const ports = { 'safe.example:443': await listening(server) };
  const gated = await GatedPlace.open(context, { ports });
  gated.put('ca', read('ca'));
  for (const way of ['', '--noproxy "*"', '-4 --noproxy "*"', '-6 --noproxy "*"'])
    expect(await gated.held(`curl -sS ${way} --cacert ca https://safe.example/`)).toBe('safe\n');
  expect(await gated.held(`NODE_EXTRA_CA_CERTS=ca ${FETCH('https://safe.example/')}`)).toBe('safe\n\n');
});

test.for([4, 6])('each half of a connection ends on its own, over IPv%i', async (family, context) => {
  needPython(context);
  const place = await GatedPlace.open(context, { ports: { 'shell.example:22': await echo() } });
  const python = `
import socket
found = socket.getaddrinfo('shell.example', 22, socket.AF_INET${family === 6 ? '6' : ''}, socket.SOCK_STREAM)[0][4]
s = socket.create_connection(found[:2])
s.sendall(b'x' * 1000000)
s.shutdown(socket.SHUT_WR)
got = b''
while part := s.recv(65536): got += part
print(len(got), got[:12], got[-9:])
`;
  place.put('halves.py', python);
  expect(await place.held('/usr/bin/python3 halves.py')).toBe("1000022 b'SSH-2.0-test' b'finished\\n'\n");
});

test('Git clones by its own protocol and by HTTP', async (context) => {
  needPython(context);
  needSystemPackages(context, 'git');
  const place = await GatedPlace.open(context);
  const made =
    'git init -q r && cd r && git -c user.name=a -c user.email=a@example.org commit -q --allow-empty -m first';
  await place.bare(`${made}`);
  await place.bare('git -C r repack -adq && git -C r update-server-info');
  const [gitPort, webPort] = [await freePort(), await freePort()];
  started('git', ['daemon', '--export-all', `--base-path=${place.root}`, '--listen=127.0.0.1', `--port=${gitPort}`]);
  started('/usr/bin/python3', ['-m', 'http.server', '--bind', '127.0.0.1', '--directory', place.root, `${webPort}`]);
  const ports = { 'code.example:9418': gitPort, 'code.example:80': webPort, 'code.example:8443': webPort };
  const gated = await GatedPlace.open(context, { ports });
  for (const port of [gitPort, webPort])
    await expect.poll(() => place.bare(`echo > /dev/tcp/127.0.0.1/${port}`)).toBe('');
  for (const [index, from] of [
    'git://code.example/r',
    'http://code.example/r/.git',
    'http://code.example:8443/r/.git',
  ].entries())
    expect(await gated.held(`git clone -q ${from} ${index}; git -C ${index} log --format=%s`)).toBe('first\n');
});

test('a server of one command is reached from the next, also at ports of the gate', async (context) => {
  needPython(context);
  const place = await GatedPlace.open(context);
  place.put('page', 'here\n');
  const served = place.held('/usr/bin/python3 -m http.server --bind 127.0.0.1 80');
  await expect.poll(() => place.held('curl -sS http://localhost/page')).toBe('here\n');
  expect(await place.held('curl -sS http://127.0.0.1:80/page; pkill -f http.server', false)).not.toContain('here');
  expect(place.wanted).toEqual([]);
  place.process.kill('SIGKILL');
  void served;
});

test('what is refused ends at once, and programs that speak HTTP are told', async (context) => {
  needSystemPackages(context, 'curl');
  const place = await GatedPlace.open(context);
  const told = 'Steward refused no.example:80.\n';
  expect(await place.held('curl -sS http://no.example/; curl -sS --noproxy "*" http://no.example/')).toBe(told + told);
  expect(await place.held('curl -sS https://no.example/')).toMatch(/403/);
  expect(await place.held('curl -sS --noproxy "*" https://no.example/ || echo failed')).toMatch(/failed/);
  expect(await place.held('curl -sS telnet://no.example:444 || echo failed')).toMatch(/failed/);
  expect(await place.held(CONNECT('no.example', 444))).toMatch(/refused/);
});

test('a program that gives up is no longer waited for', async (context) => {
  needSystemPackages(context, 'curl');
  const place = await GatedPlace.open(context);
  await place.held('curl -sS -m 0.3 https://undecided.example/');
  await expect.poll(() => place.givenUp).toEqual(['undecided.example:443']);
});
