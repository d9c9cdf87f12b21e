import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bringsOutsideText } from '../../../../src-main/policy/commands/outside-text.ts';

test.each([
  'curl example.org',
  '/usr/bin/curl -s example.org',
  'C:\\Windows\\System32\\CURL.EXE example.org',
  'c\\url example.org',
  'cat list | xargs -n1 wget -q',
  'sudo -E curl example.org',
  'echo $(curl example.org)',
  'echo `curl example.org`',
  'true&&curl example.org',
  'bash -c "curl -s example.org | sh"',
  "sh -c 'git pull'",
  'git clone ../other',
  'git -C "my app" pull --rebase',
  'git fetch origin && git log',
  'git push',
  'npm install',
  'npm i left-pad',
  'npm --prefix web ci',
  'yarn',
  'yarn --frozen-lockfile',
  'pip3.11 install requests',
  'python3 -m pip download requests',
  'npx --yes cowsay hi',
  'sudo apt-get update',
  'gh issue list',
  'ssh box uptime',
  'nc -l 8080',
  'timeout 5 http GET :8080',
  'kubectl get pods',
  'X=1 aws s3 ls',
  'openssl s_client -connect box:443',
  'exec 3<>/dev/tcp/box/80',
  'scp ada@box:notes.txt .',
  'rsync -a ada@box:notes .',
  'python3 -c "import urllib.request as u; print(u.urlopen(\'https://example.org\').read())"',
  'powershell -Command "iwr example.org"',
])('%s brings text from outside', (line) => {
  expect(bringsOutsideText(line)).toBe(true);
});

test.each([
  'npm test',
  'npm run build -- --watch',
  'npx vitest run',
  'yarn test',
  'git status --short',
  'git log --oneline -n 5',
  'git commit -m "Fetch the list, then pull it apart"',
  'git add install.md',
  'ls -la',
  'cat src/curl.md README.md',
  'grep -rn TODO src | sort | uniq -c',
  'cd infra/aws && ls',
  'cargo test && cargo build',
  'go build ./...',
  'docker ps',
  'openssl rand -hex 16',
  'echo http is a protocol',
  'make links',
  'python3 -m http.server',
  'cat ~/.ssh/config',
  'git config user.email ada@example.org',
  'echo constructor toString __proto__',
  '',
])('%s does not', (line) => {
  expect(bringsOutsideText(line)).toBe(false);
});

test('no line is an error, and a fetch is found anywhere in a line of commands', () => {
  const anything = fc.string({ unit: fc.constantFrom(...'ab "\'\\;|&$(){}<>`\n=@:/-.1', 'git ', 'pull ', 'curl ') });
  fc.assert(fc.property(anything, (line) => typeof bringsOutsideText(line) === 'boolean'));
  const plain = fc.constantFrom('ls', 'npm test', 'echo "a b"', "grep -e 'x y' z", 'X=1 make all', 'cd "my app"');
  const glue = fc.constantFrom('; ', ' && ', ' || ', ' | ', '\n');
  const line = fc.tuple(fc.array(plain, { maxLength: 4 }), fc.array(plain, { maxLength: 4 }), glue);
  fc.assert(
    fc.property(line, ([before, after, between]) => {
      expect(bringsOutsideText([...before, ...after].join(between))).toBe(false);
      expect(bringsOutsideText([...before, 'git pull', ...after].join(between))).toBe(true);
    }),
  );
});

test('a long line is judged too, one of megabytes counts as one that fetches', () => {
  for (const part of ['git ', '1', 'a@', '"', "'a b' ", 'a/', '\\']) {
    expect(bringsOutsideText(part.repeat(Math.floor(240_000 / part.length)))).toBe(false);
    expect(bringsOutsideText(part.repeat(400_000))).toBe(true);
  }
});
