import { bash, call, edit, fails, glob, grep, look, open, page, read, type Session, saying, text } from '../session.ts';

const LOG_TOOL = {
  'package.json': text`
    {
      "name": "logsieve",
      "version": "0.9.2",
      "type": "module",
      "bin": { "logsieve": "src/index.js" },
      "scripts": { "test": "node --test" }
    }
  `,
  'README.md': text`
    # logsieve

    Sifts web server logs: \`logsieve access.log --status 5xx --by path\`.

    Exit codes: 0 something was found, 1 nothing was, 2 the arguments are wrong.
  `,
  'src/index.js': text`
    #!/usr/bin/env node
    import { readFileSync } from 'node:fs';
    import { parseArguments } from './arguments.js';
    import { parseLine } from './parse.js';
    import { report } from './report.js';

    const options = parseArguments(process.argv.slice(2));
    if (options === undefined) process.exit(2);
    const lines = readFileSync(options.file, 'utf8').trimEnd().split('\\n');
    const entries = lines.map(parseLine).filter((entry) => entry !== undefined);
    const found = entries.filter((entry) => options.status.test(entry.status));
    process.stdout.write(report(found, options.by));
    process.exitCode = found.length > 0 ? 0 : 1;
  `,
  'src/arguments.js': text`
    export function parseArguments([file, ...rest]) {
      if (file === undefined) return undefined;
      const at = (name) => rest[rest.indexOf(name) + 1];
      const status = rest.includes('--status') ? at('--status').replaceAll('x', '\\\\d') : '\\\\d+';
      return { file, status: new RegExp('^' + status + '$'), by: rest.includes('--by') ? at('--by') : 'path' };
    }
  `,
  'src/parse.js': text`
    const LINE = /^(\\S+) \\S+ \\S+ \\[([^\\]]+)\\] "(\\S+) (\\S+)[^"]*" (\\d{3}) (\\d+|-)/;

    /** A line in the Common Log Format, or undefined. */
    export function parseLine(line) {
      const match = LINE.exec(line);
      if (match === null) return undefined;
      const [, host, time, method, path, status, bytes] = match;
      return { host, time, method, path, status, bytes: bytes === '-' ? 0 : Number(bytes) };
    }
  `,
  'src/report.js': text`
    export function report(entries, by) {
      const counts = new Map();
      for (const entry of entries) counts.set(entry[by], (counts.get(entry[by]) ?? 0) + 1);
      const sorted = [...counts].sort(([, a], [, b]) => b - a);
      return sorted.map(([key, count]) => String(count).padStart(6) + ' ' + key + '\\n').join('');
    }
  `,
  'test/parse.test.js': text`
    import assert from 'node:assert/strict';
    import test from 'node:test';
    import { parseLine } from '../src/parse.js';

    test('reads a line', () => {
      const line = '10.0.0.1 - - [21/Nov/2026:10:00:00 +0000] "GET /a HTTP/1.1" 200 12';
      assert.equal(parseLine(line).path, '/a');
    });

    test('leaves out what is no line', () => assert.equal(parseLine('nonsense'), undefined));
  `,
};

export const lookIntoProject: Session = {
  title: 'Look into a project',
  area: 'developer',
  folder: 'logsieve',
  files: LOG_TOOL,
  repository: { history: ['Count by any field', 'Leave out lines that are none', 'Release 0.9.2'] },
  turns: [
    {
      person: 'I took this project over from a colleague. What does it do, and how is it put together?',
      rounds: [
        [call('list_directory', { path: '.' }), read('README.md'), read('package.json')],
        [
          glob('**/*.js'),
          look('wc -l src/*.js test/*.js', 'Count lines'),
          look('ls -la src test', 'See how large the files are'),
          bash('git log --oneline | head -20', 'See what happened lately'),
        ],
        [read('src/index.js'), read('src/arguments.js'), read('src/parse.js'), read('src/report.js')],
        grep('process\\.(?:env|argv|exit)', { glob: '*.js' }),
      ],
      answer: 'It sifts web server logs. index.js reads the arguments, parses each line and prints counts.',
    },
    {
      person: 'Where is the exit code decided, and is that tested?',
      rounds: [
        [grep('exit', { path: 'src', context_after: 1 }), look("grep -rn 'exit' src test | sort", 'Find exit codes')],
        [
          look('cat test/parse.test.js', 'Read the tests'),
          look('sed -n 1,14p src/index.js', 'Read the end of index.js'),
        ],
        call('search_code', { query: 'test(', pattern: '*.test.js' }),
      ],
      answer: 'In the last line of index.js. No test looks at it: the only tests are those of parse.js.',
    },
  ],
};

export const reviewAndCommit: Session = {
  title: 'Review my changes and commit them',
  area: 'developer',
  folder: 'logsieve',
  files: LOG_TOOL,
  repository: {
    history: ['Count by any field', 'Leave out lines that are none'],
    changes: {
      'src/report.js': text`
        export function report(entries, by, limit = Infinity) {
          const counts = new Map();
          for (const entry of entries) counts.set(entry[by], (counts.get(entry[by]) ?? 0) + 1);
          const sorted = [...counts].sort(([, a], [, b]) => b - a).slice(0, limit);
          return sorted.map(([key, count]) => String(count).padStart(6) + ' ' + key + '\\n').join('');
        }
      `,
      'test/report.test.js': text`
        import assert from 'node:assert/strict';
        import test from 'node:test';
        import { report } from '../src/report.js';

        test('shows the most frequent first, and so many', () => {
          const entries = ['/a', '/b', '/b'].map((path) => ({ path }));
          assert.equal(report(entries, 'path', 1), '     2 /b\\n');
        });
      `,
    },
  },
  turns: [
    {
      person: 'Please look over what I changed before I commit.',
      rounds: [
        [bash('git status --short', 'See what changed'), bash('git diff', 'See the changes')],
        [
          read('test/report.test.js'),
          read('src/report.js'),
          bash('git log --oneline -5', 'See how messages are written'),
        ],
        grep('report\\(', { glob: '*.js' }),
      ],
      answer: 'It is sound. index.js does not pass a limit yet, so nothing changes for users so far.',
    },
    {
      person: 'That comes next. Run the tests and commit it with a good message.',
      rounds: [
        saying('fail 0', bash('npm test 2>&1 | tail -20', 'Run the tests')),
        bash(
          'git add src/report.js test/report.test.js && git commit -m "Let a report be limited to its first lines"',
          'Commit the report and its test',
        ),
        [
          bash('git status --short', 'See that nothing is left'),
          call('run_command', { command: 'git', arguments: 'log --oneline -n 3' }),
        ],
      ],
      answer: 'Committed: "Let a report be limited to its first lines".',
    },
  ],
};

const CI_LOG = Array.from({ length: 240 }, (_, line) => {
  if (line % 40 === 17) return `2026-11-20T08:0${line % 10}:11Z npm warn deprecated glob@7: no longer supported`;
  if (line === 201) return '2026-11-20T08:01:59Z Error: Cannot find module node:sqlite';
  if (line === 202)
    return '2026-11-20T08:01:59Z     at Module._resolveFilename (node:internal/modules/cjs/loader:1225:15)';
  if (line === 236) return '2026-11-20T08:02:03Z Error: Process completed with exit code 1.';
  return `2026-11-20T08:01:${String(line % 60).padStart(2, '0')}Z ok ${line} - step ${line}`;
}).join('\n');

export const failingCi: Session = {
  title: 'Find out why CI fails',
  area: 'developer',
  folder: 'ledger',
  files: {
    'package.json': text`
      {
        "name": "ledger",
        "type": "module",
        "engines": { "node": ">=20" },
        "scripts": { "test": "node --test --disable-warning=ExperimentalWarning" }
      }
    `,
    '.github/workflows/ci.yml': text`
      name: CI
      on: [push]
      jobs:
        test:
          runs-on: ubuntu-latest
          steps:
            - uses: actions/checkout@v4
            - uses: actions/setup-node@v4
              with:
                node-version: 20
            - run: npm ci
            - run: npm test
    `,
    'logs/ci-2026-11-20.txt': `${CI_LOG}\n`,
    'src/store.js': text`
      import { DatabaseSync } from 'node:sqlite';

      export const openStore = (path) => new DatabaseSync(path);
    `,
    'test/store.test.js': text`
      import assert from 'node:assert/strict';
      import test from 'node:test';
      import { openStore } from '../src/store.js';

      test('opens', () => assert.ok(openStore(':memory:')));
    `,
    'docs/setup.md': '# Setup\n\nYou need Node 20 or newer.\n',
  },
  repository: { history: ['Keep the ledger in SQLite'] },
  web: { 'https://nodejs.org/api/sqlite.html': page('SQLite', 'Added in: v22.5.0') },
  turns: [
    {
      person: 'CI is red since yesterday, and here everything is green. The log is in logs/. What is going on?',
      rounds: [
        [glob('logs/*'), glob('.github/**/*.yml')],
        [
          look('wc -l logs/ci-2026-11-20.txt && tail -30 logs/ci-2026-11-20.txt', 'See how the log ends'),
          look("grep -n 'Error' logs/ci-2026-11-20.txt | head -20", 'Find the errors'),
          look("cut -d' ' -f2 logs/ci-2026-11-20.txt | sort | uniq -c | sort -rn | head", 'See what there is'),
        ],
        [read('logs/ci-2026-11-20.txt', { offset: 195, limit: 15 }), read('.github/workflows/ci.yml')],
        [grep('node:sqlite'), read('package.json'), bash('node --version', 'See which Node runs here')],
        open('https://nodejs.org/api/sqlite.html'),
        bash('git log --oneline -5 -- src/store.js', 'See when the module came'),
      ],
      answer: 'CI runs Node 20, which has no node:sqlite. It came with the commit "Keep the ledger in SQLite".',
    },
    {
      person: 'Then let us require Node 22 everywhere.',
      rounds: [
        edit('.github/workflows/ci.yml', 'node-version: 20', 'node-version: 22'),
        edit('package.json', '"node": ">=20"', '"node": ">=22.5"'),
        edit('docs/setup.md', 'Node 20 or newer', 'Node 22.5 or newer'),
        fails(look("grep -rn 'Node 20' . --include=*.md", 'Is there any other mention?')),
        saying('fail 0', bash('npm test 2>&1 | tail -15', 'Run the tests')),
        bash('git diff --stat', 'See what changed'),
      ],
      answer: 'Done in the workflow, package.json and the setup guide; the tests pass.',
    },
  ],
};

export const databaseWillNotConnect: Session = {
  title: 'The app does not reach its database',
  area: 'developer',
  folder: 'guestbook',
  files: {
    'package.json':
      '{ "name": "guestbook", "type": "module", "scripts": { "check": "node scripts/check-config.js" } }\n',
    '.env': 'DATABASE_HOST=db\nDATABASE_PORT=5433\nDATABASE_USER=guestbook\nDATABASE_PASSWORD=blue-kettle-4\n',
    '.env.example': 'DATABASE_HOST=localhost\nDATABASE_PORT=5432\nDATABASE_USER=\nDATABASE_PASSWORD=\n',
    'docker-compose.yml': text`
      services:
        db:
          image: postgres:17
          ports: ["5433:5432"]
        web:
          build: .
          env_file: .env
    `,
    'src/config.js': text`
      export const config = {
        host: process.env.DATABASE_HOST ?? 'localhost',
        port: Number(process.env.DATABASE_PORT ?? 5432),
      };
    `,
    'scripts/check-config.js': text`
      import { config } from '../src/config.js';

      process.stdout.write(JSON.stringify(config) + '\\n');
    `,
    'README.md': '# Guestbook\n\nStart it with `docker compose up`.\n',
  },
  web: {
    'https://docs.docker.com/compose/how-tos/networking/': page(
      'Networking in Compose',
      'Service-to-service communication uses the CONTAINER_PORT.',
    ),
  },
  turns: [
    {
      person: 'docker compose up starts, but the web container says "connection refused" for the database. Why?',
      rounds: [
        [look('ls -la', 'See what is here'), read('docker-compose.yml'), read('README.md')],
        [read('src/config.js'), read('.env.example'), grep('DATABASE_', { glob: '*.js' })],
        [read('.env'), open('https://docs.docker.com/compose/how-tos/networking/')],
        saying('5432', bash('npm run check', 'See the configuration without .env')),
      ],
      answer: 'Inside the network the database listens on 5432; .env gives the port of the host, 5433.',
    },
    {
      person: 'OK, please repair it so that both ways work, and say so in the README.',
      rounds: [
        [
          edit(
            'docker-compose.yml',
            '    env_file: .env\n',
            '    env_file: .env\n    environment:\n      DATABASE_PORT: 5432\n',
          ),
          call('append_file', {
            path: 'README.md',
            content: '\nFrom your own machine the database is on port 5433.\n',
          }),
        ],
        [
          look('cat docker-compose.yml', 'Read it again'),
          saying('5433', bash('DATABASE_PORT=5433 npm run check', 'As on the host')),
        ],
      ],
      answer: 'In the container it is 5432 now, from outside 5433 as before.',
    },
  ],
};
