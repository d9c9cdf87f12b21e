/** What a list of processes tells of their command lines, which hold passwords. */
import { spawn } from 'node:child_process';
import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import { programAndFirstWord, withoutSecrets } from '../../src-main/tools/shell/shown-commands.ts';
import { allowAll } from '../fixtures/allow-all.ts';
import { needLinux } from '../fixtures/machine-needs.ts';
import { ToolHarness } from '../fixtures/tool-harness.ts';

const SECRET = 'hunterTwo';
const LINES: readonly string[] = [
  `curl -u ada:${SECRET} https://h.example`,
  `curl -uada:${SECRET} https://h.example`,
  `curl -H Authorization: Basic ${SECRET} https://h.example`,
  `curl --user ada:${SECRET} h.example`,
  `curl https://ada:${SECRET}@h.example`,
  `sshpass -p ${SECRET} ssh h.example`,
  `sshpass -p${SECRET} ssh h.example`,
  `docker login -u ada -p ${SECRET} r.example`,
  `docker login -p${SECRET}`,
  `redis-cli -a ${SECRET} get key`,
  `redis-cli --pass ${SECRET}`,
  `mysql -u root -p${SECRET}`,
  `mysql -uroot --password ${SECRET} db`,
  `mysqladmin -u root password ${SECRET}`,
  `psql postgres://ada:${SECRET}@db/x`,
  `psql password=${SECRET} host=db`,
  `openssl enc -k ${SECRET} -in a`,
  `openssl enc -pass pass:${SECRET}`,
  `gpg --passphrase ${SECRET} -d a`,
  `zip -P ${SECRET} a.zip a`,
  `unzip -P ${SECRET} a.zip`,
  `7z x -p${SECRET} a.7z`,
  `ansible-playbook -e password=${SECRET} a.yml`,
  `wget --http-password ${SECRET} h.example`,
  `ldapsearch -w ${SECRET}`,
  `smbclient //h/share -U ada%${SECRET}`,
  `htpasswd -b file ada ${SECRET}`,
  `expect -c send ${SECRET}`,
  `env TOKEN=${SECRET} node server.js`,
  `sh -c TOKEN=${SECRET} node server.js`,
  `node server.js ${SECRET}`,
  `server --key ${SECRET}`,
  `server.${'js'} ${SECRET}`,
  `sqlplus ada/${SECRET}@db`,
  `mount -o username=ada,password=${SECRET} //h/s /mnt`,
  `program=${SECRET} x`,
  `worker\t${SECRET}`,
  `worker\0--token\0${SECRET}`,
  `worker\n1 2 ${SECRET}`,
  `title?token=${SECRET}`,
  `ada@${SECRET}`,
];

test.each(LINES)('%j tells no password', (line) => {
  expect(programAndFirstWord(line)).not.toContain(SECRET);
});

test('what the names of options tell is not enough', () => {
  expect(LINES.filter((line) => withoutSecrets(line).includes(SECRET)).length).toBeGreaterThan(10);
});

test.each([
  ['/usr/bin/python3 manage.py runserver', '/usr/bin/python3 manage.py'],
  ['git status --short', 'git status'],
  ['npm run build', 'npm run'],
  ['[kworker/0:1]', '[kworker/0:1]'],
  ['nginx: master process', 'nginx: master'],
  ['sleep 60', 'sleep'],
  ['', '?'],
])('%j is shown as %j', (line, shown) => {
  expect(programAndFirstWord(line)).toBe(shown);
});

test('generated: at most the program and one lower-case word, on one line', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 80 }), (line) => {
      expect(programAndFirstWord(line)).toMatch(/^(?:\?|[^\s=?@&]{1,210}(?: [a-z][a-z._-]*)?)$/u);
    }),
    { numRuns: 5_000 },
  );
});

let tools: ToolHarness | undefined;
afterEach(() => tools?.dispose());

test('in the list itself', async (context) => {
  needLinux(context, 'the command lines are those of /proc');
  tools = new ToolHarness({ consent: allowAll });
  const child = spawn('sleep', ['60'], { argv0: `curl -u ada:${SECRET}`, stdio: 'ignore' });
  try {
    const text = await tools.text('list_processes', {});
    expect(text).toContain(` ${child.pid} `);
    expect(text).not.toContain(SECRET);
  } finally {
    child.kill();
  }
});
