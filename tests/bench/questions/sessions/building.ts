import {
  bash,
  call,
  edit,
  fails,
  glob,
  grep,
  look,
  read,
  type Session,
  saying,
  text,
  todos,
  write,
} from '../session.ts';

export const addFeature: Session = {
  title: 'Add a feature with tests and documentation',
  area: 'developer',
  folder: 'notes-cli',
  files: {
    'package.json': text`
      {
        "name": "notes-cli",
        "type": "module",
        "scripts": { "test": "node --test", "lint": "node --check src/main.js && node --check src/commands/add.js" }
      }
    `,
    'src/main.js': text`
      import { add } from './commands/add.js';
      import { list } from './commands/list.js';

      const commands = { add, list };
      const [name, ...rest] = process.argv.slice(2);
      process.stdout.write(commands[name]?.(rest) ?? 'Commands: ' + Object.keys(commands).join(', ') + '\\n');
    `,
    'src/commands/add.js': text`
      import { load, save } from '../store.js';

      export function add(words) {
        save([...load(), words.join(' ')]);
        return 'Added.\\n';
      }
    `,
    'src/commands/list.js': text`
      import { load } from '../store.js';

      export const list = () => load().map((note, index) => index + 1 + '. ' + note + '\\n').join('');
    `,
    'src/store.js': text`
      import { existsSync, readFileSync, writeFileSync } from 'node:fs';

      const FILE = process.env.NOTES_FILE ?? 'notes.json';
      export const load = () => (existsSync(FILE) ? JSON.parse(readFileSync(FILE, 'utf8')) : []);
      export const save = (notes) => writeFileSync(FILE, JSON.stringify(notes));
    `,
    'test/list.test.js': text`
      import assert from 'node:assert/strict';
      import test from 'node:test';
      import { list } from '../src/commands/list.js';

      test('an empty list', () => assert.equal(list(), ''));
    `,
    'docs/commands.md': '# Commands\n\n- `add WORDS`\n- `list`\n',
  },
  repository: { history: ['List notes'] },
  turns: [
    {
      person: 'I would like `notes search WORD`, ignoring case, with a test and a line in the docs.',
      rounds: [
        [glob('src/**/*.js'), read('src/main.js'), read('src/commands/list.js'), read('src/store.js')],
        [read('test/list.test.js'), read('docs/commands.md')],
        todos(['in_progress', 'The command'], ['pending', 'Its test'], ['pending', 'The docs']),
        write(
          'src/commands/search.js',
          text`
            import { load } from '../store.js';

            export function search([word = '']) {
              const found = load().filter((note) => note.toLowerCase().includes(word.toLowerCase()));
              return found.map((note) => '- ' + note + '\\n').join('') || 'Nothing found.\\n';
            }
          `,
        ),
        [
          edit(
            'src/main.js',
            "import { list } from './commands/list.js';\n",
            "import { list } from './commands/list.js';\nimport { search } from './commands/search.js';\n",
          ),
          edit('src/main.js', 'const commands = { add, list };', 'const commands = { add, list, search };'),
        ],
        write(
          'test/search.test.js',
          text`
            import assert from 'node:assert/strict';
            import { rmSync } from 'node:fs';
            import test from 'node:test';

            process.env.NOTES_FILE = 'test-notes.json';
            const { save } = await import('../src/store.js');
            const { search } = await import('../src/commands/search.js');

            test('finds in any letter case', () => {
              save(['Buy milk', 'Call Ada']);
              assert.equal(search(['MILK']), '- Buy milk\\n');
              rmSync('test-notes.json');
            });
          `,
        ),
        saying('fail 0', bash('npm test 2>&1 | tail -30', 'Run the tests')),
        bash('npm run lint', 'Check the syntax'),
        [
          edit('docs/commands.md', '- `list`\n', '- `list`\n- `search WORD`\n'),
          todos(['completed', 'The command'], ['completed', 'Its test'], ['completed', 'The docs']),
        ],
        saying('fail 0', bash('npm test 2>&1 | tail -30', 'Run the tests a last time')),
      ],
      answer: '`notes search WORD` is there, tested and documented.',
    },
    {
      person: 'Try it out by hand too, please.',
      rounds: [
        bash('node src/main.js add "Buy milk" && node src/main.js search milk', 'Add a note and search for it'),
        bash('rm notes.json', 'Remove the note that I added'),
        bash('git status --short', 'See what is left'),
      ],
      answer: 'It prints "- Buy milk". I removed the note again.',
    },
  ],
};

export const renameEverywhere: Session = {
  title: 'Rename a function everywhere',
  area: 'developer',
  folder: 'geo-kit',
  files: {
    'package.json': '{ "name": "geo-kit", "type": "module", "scripts": { "test": "node --test" } }\n',
    'src/distance.js': text`
      export function dist(a, b) {
        return Math.hypot(a.x - b.x, a.y - b.y);
      }
    `,
    'src/nearest.js': text`
      import { dist } from './distance.js';

      export const nearest = (from, points) => [...points].sort((a, b) => dist(from, a) - dist(from, b))[0];
    `,
    'src/route/length.js': text`
      import { dist } from '../distance.js';

      export const lengthOf = (points) => points.slice(1).reduce((so, point, index) => so + dist(points[index], point), 0);
    `,
    'test/distance.test.js': text`
      import assert from 'node:assert/strict';
      import test from 'node:test';
      import { dist } from '../src/distance.js';
      import { lengthOf } from '../src/route/length.js';

      test('is 5 for 3 and 4', () => assert.equal(dist({ x: 0, y: 0 }, { x: 3, y: 4 }), 5));
      test('adds up', () => assert.equal(lengthOf([{ x: 0, y: 0 }, { x: 3, y: 4 }, { x: 3, y: 5 }]), 6));
    `,
    'README.md': '# geo-kit\n\n```js\nimport { dist } from "geo-kit";\ndist(a, b);\n```\n',
  },
  repository: {},
  turns: [
    {
      person: 'dist() should be called distanceBetween(). Everywhere, please.',
      rounds: [
        [
          call('search_code', { query: '\\bdist\\b', regex: true }),
          look("grep -rnw dist . --include='*.js' | wc -l", 'Count its uses'),
        ],
        [read('src/nearest.js'), read('src/route/length.js'), read('test/distance.test.js'), read('README.md')],
        edit('src/distance.js', 'dist(', 'distanceBetween('),
        edit('src/nearest.js', '{ dist }', '{ distanceBetween }'),
        edit('src/nearest.js', 'dist(', 'distanceBetween(', { replace_all: true }),
        edit('src/route/length.js', '{ dist }', '{ distanceBetween }'),
        edit('src/route/length.js', 'dist(', 'distanceBetween('),
        edit('test/distance.test.js', '{ dist }', '{ distanceBetween }'),
        edit('test/distance.test.js', 'dist(', 'distanceBetween('),
        edit('README.md', 'import { dist } from', 'import { distanceBetween } from'),
        edit('README.md', 'dist(a, b)', 'distanceBetween(a, b)'),
        saying('fail 0', bash('cd {workspace} && npm test', 'Run the tests')),
        [
          fails(look("grep -rnw dist . --include='*.js' --include='*.md'", 'Is the old name gone?')),
          bash('git diff --stat', 'See what changed'),
        ],
      ],
      answer: 'Renamed in five files; the tests pass and nothing says dist any more.',
    },
  ],
};

const SERVER = text`
  import { createServer } from 'node:http';
  import { handle } from './routes.js';

  const port = Number(process.env.PORT ?? {port});
  createServer(handle).listen(port, '127.0.0.1', () => process.stdout.write('listening on ' + port + '\\n'));
`;
const ROUTES = text`
  import { Loans } from './loans.js';

  export const loans = new Loans();

  export function handle(request, response) {
    const { pathname } = new URL(request.url, 'http://localhost');
    if (request.method === 'GET' && pathname === '/loans') return json(response, 200, loans.all());
    return json(response, 404, { error: 'not found' });
  }

  function json(response, status, value) {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
  }
`;
const LOANS = text`
  export class Loans {
    #loans = [];

    all() {
      return [...this.#loans];
    }

    lend(title, to) {
      if (this.#loans.some((loan) => loan.title === title)) throw new Error(title + ' is lent already');
      this.#loans.push({ title, to });
    }
  }
`;

export const buildFromScratch: Session = {
  title: 'Build a small web service from an idea (long)',
  area: 'developer',
  folder: 'tool-library',
  files: {
    'IDEA.md':
      '# Tool library\n\nNeighbours lend tools to each other. Who has which? A small service on our own machine.\n',
  },
  repository: {},
  turns: [
    {
      person: 'IDEA.md says what I want. Set up a small project without dependencies, with tests.',
      rounds: [
        [
          read('IDEA.md'),
          look('ls -la', 'See what is here'),
          bash('node --version && npm --version', 'See which versions there are'),
        ],
        todos(['in_progress', 'Loans'], ['pending', 'Routes'], ['pending', 'Server'], ['pending', 'README']),
        write(
          'package.json',
          text`
          {
            "name": "tool-library",
            "type": "module",
            "private": true,
            "scripts": { "start": "node src/server.js", "test": "node --test" }
          }
        `,
        ),
        [write('src/loans.js', LOANS), write('src/routes.js', ROUTES), write('src/server.js', SERVER)],
        write(
          'test/loans.test.js',
          text`
          import assert from 'node:assert/strict';
          import test from 'node:test';
          import { Loans } from '../src/loans.js';

          test('lends a tool once', () => {
            const loans = new Loans();
            loans.lend('drill', 'Ada');
            assert.throws(() => loans.lend('drill', 'Bo'), /lent already/);
            assert.deepEqual(loans.all(), [{ title: 'drill', to: 'Ada' }]);
          });
        `,
        ),
        saying('pass 1', bash('npm test 2>&1 | tail -30', 'Run the tests')),
        [
          write('.gitignore', 'node_modules\n*.db.json\n'),
          todos(['completed', 'Loans'], ['completed', 'Routes'], ['completed', 'Server'], ['pending', 'README']),
        ],
        bash('git add -A && git commit -m "Lend tools, and list what is lent"', 'Commit the beginning'),
      ],
      answer: 'There is a server, a list of loans and a first test. All committed.',
    },
    {
      person: 'Start it and see whether it answers.',
      rounds: [
        bash('npm start', 'Start the server', { run_in_background: true }),
        bash('sleep 1', 'Give it a moment'),
        call('bash_output', { bash_id: 'shell_1' }),
        saying('[]', call('http_get', { url: 'http://127.0.0.1:{port}/loans' })),
        saying('404', call('http_get', { url: 'http://127.0.0.1:{port}/nothing' })),
        call('kill_shell', { shell_id: 'shell_1' }),
      ],
      answer: 'It answers: an empty list, and 404 for what is not there.',
    },
    {
      person: 'Good. Now lending and giving back: POST and DELETE on /loans.',
      rounds: [
        [read('src/routes.js'), read('src/loans.js')],
        edit(
          'src/loans.js',
          '    this.#loans.push({ title, to });\n  }\n',
          '    this.#loans.push({ title, to });\n  }\n\n  giveBack(title) {\n    const left = this.#loans.filter((loan) => loan.title !== title);\n    const isGone = left.length < this.#loans.length;\n    this.#loans = left;\n    return isGone;\n  }\n',
        ),
        edit(
          'src/routes.js',
          "export function handle(request, response) {\n  const { pathname } = new URL(request.url, 'http://localhost');\n",
          "export async function handle(request, response) {\n  const { pathname, searchParams } = new URL(request.url, 'http://localhost');\n  if (request.method === 'POST' && pathname === '/loans') {\n    const { title, to } = await bodyOf(request);\n    try {\n      loans.lend(title, to);\n    } catch (error) {\n      return json(response, 500, { error: error.message });\n    }\n    return json(response, 201, { title, to });\n  }\n  if (request.method === 'DELETE' && pathname === '/loans')\n    return json(response, loans.giveBack(searchParams.get('title')) ? 200 : 404, {});\n",
        ),
        call('append_file', {
          path: 'src/routes.js',
          content:
            "\nasync function bodyOf(request) {\n  let text = '';\n  for await (const chunk of request) text += chunk;\n  return JSON.parse(text);\n}\n",
        }),
        write(
          'test/routes.test.js',
          text`
          import assert from 'node:assert/strict';
          import { createServer } from 'node:http';
          import test from 'node:test';
          import { handle } from '../src/routes.js';

          test('lends and takes back', async (t) => {
            const server = createServer(handle).listen(0);
            t.after(() => server.close());
            const url = 'http://127.0.0.1:' + server.address().port + '/loans';
            const lent = await fetch(url, { method: 'POST', body: JSON.stringify({ title: 'saw', to: 'Bo' }) });
            assert.equal(lent.status, 201);
            const twice = await fetch(url, { method: 'POST', body: JSON.stringify({ title: 'saw', to: 'Ada' }) });
            assert.equal(twice.status, 409);
            const back = await fetch(url + '?title=saw', { method: 'DELETE' });
            assert.equal(back.status, 200);
          });
        `,
        ),
        saying('ERR_ASSERTION', bash('npm test 2>&1 | tail -30', 'Run the tests', { timeout: 60_000 })),
        [read('src/routes.js', { offset: 1, limit: 20 }), grep('lend\\(', { path: 'src' })],
        edit('src/routes.js', 'json(response, 500,', 'json(response, 409,'),
        saying('fail 0', bash('npm test 2>&1 | tail -30', 'Run the tests')),
        bash('git add -A && git commit -m "Lend and give back over HTTP"', 'Commit'),
      ],
      answer: 'Lending, giving back and the conflict are there, with tests.',
    },
    {
      person: 'It forgets everything when it ends. Keep the loans in a file.',
      rounds: [
        [look('wc -l src/*.js', 'See how large it is'), read('src/loans.js')],
        edit(
          'src/loans.js',
          'export class Loans {\n  #loans = [];\n',
          "import { existsSync, readFileSync, writeFileSync } from 'node:fs';\n\nexport class Loans {\n  #file;\n  #loans;\n\n  constructor(file) {\n    this.#file = file;\n    this.#loans = file !== undefined && existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : [];\n  }\n\n  #keep() {\n    if (this.#file !== undefined) writeFileSync(this.#file, JSON.stringify(this.#loans));\n  }\n",
        ),
        edit(
          'src/loans.js',
          '    this.#loans.push({ title, to });\n',
          '    this.#loans.push({ title, to });\n    this.#keep();\n',
        ),
        edit('src/loans.js', '    this.#loans = left;\n', '    this.#loans = left;\n    this.#keep();\n'),
        edit('src/routes.js', 'new Loans()', 'new Loans(process.env.LOANS_FILE)'),
        edit(
          'test/loans.test.js',
          "import test from 'node:test';\n",
          "import { rmSync } from 'node:fs';\nimport test from 'node:test';\n",
        ),
        call('append_file', {
          path: 'test/loans.test.js',
          content:
            "\ntest('remembers', () => {\n  new Loans('test.db.json').lend('saw', 'Bo');\n  assert.equal(new Loans('test.db.json').all().length, 1);\n  rmSync('test.db.json');\n});\n",
        }),
        saying('fail 0', bash('npm test 2>&1 | tail -30', 'Run the tests')),
        [bash('git diff', 'Look over it'), bash('git status --short', 'See what changed')],
        write(
          'README.md',
          '# Tool library\n\n`LOANS_FILE=loans.db.json npm start`, then `GET`, `POST` and `DELETE` on `/loans`.\n',
        ),
        bash('git add -A && git commit -m "Keep loans in a file, and say how it is started"', 'Commit'),
      ],
      answer: 'With LOANS_FILE it remembers; the README says so.',
    },
  ],
};
