/**
 * Whatever is judged to be reading is run, in lines made by the grammar of the tables themselves, and changes nothing:
 * neither in its folder nor, as strace sees it, anywhere else.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { assessReading, readingToRun } from '../../src-main/tools/shell/assessed-reading.ts';
import { allowAll } from '../fixtures/allow-all.ts';
import { needLinux } from '../fixtures/machine-needs.ts';
import { repetitions } from '../fixtures/repetitions.ts';
import { ToolHarness } from '../fixtures/tool-harness.ts';
import { FILES, lineByTables } from './reading-lines.ts';

let tools: ToolHarness;
let aside: string;
beforeEach((context) => {
  needLinux(context, 'options and programs are those of GNU');
  tools = new ToolHarness({ consent: allowAll });
  aside = mkdtempSync(join(tmpdir(), 'steward-trace-'));
  for (const [name, text] of Object.entries(FILES)) tools.put(name, text);
  const git = ['init -q', 'add a.txt', '-c user.name=Ada -c user.email=ada@example.org commit -qm first'];
  for (const line of git) spawnSync('git', line.split(' '), { cwd: tools.workspace });
});
afterEach(async () => {
  await tools?.dispose();
  rmSync(aside, { recursive: true, force: true });
});

/** Names, sizes, times and contents. */
function tree(): Readonly<Record<string, string>> {
  const names = readdirSync(tools.workspace, { recursive: true, encoding: 'utf8' }).sort();
  return Object.fromEntries(
    names.map((name) => {
      const path = join(tools.workspace, name);
      const { mode, mtimeMs, size, ino } = statSync(path);
      const isFile = statSync(path).isFile();
      return [name, [mode, mtimeMs, size, ino, isFile ? readFileSync(path, 'latin1') : ''].join(' ')];
    }),
  );
}

const hasStrace = spawnSync('strace', ['-V']).status === 0;
const CALLS =
  'openat,open,creat,truncate,unlink,unlinkat,/^rename,/^mkdir,/^link,/^symlink,/^chmod,/^fchmod,/^chown,/^fchown,/^mknod,/setxattr,connect,bind,rmdir,mount,kill,/^utime';
/** Each call on one line, with its result: strace breaks those of programs that run at the same time. */
function callsIn(trace: string): readonly string[] {
  const begun = new Map<string, string>();
  return trace.split('\n').flatMap((line) => {
    const [, pid = '', text = ''] = /^(\d+) +(.*)$/.exec(line) ?? [];
    const start = / <unfinished \.\.\.>$/.exec(text);
    if (start !== null) begun.set(pid, text.slice(0, start.index));
    const end = /^<\.\.\. \w+ resumed>/.exec(text);
    if (end !== null) return [`${pid} ${begun.get(pid)}${text.slice(end[0].length)}`];
    return start === null ? [line] : [];
  });
}
/** Opening for writing, or any other of these calls that succeeded, except on what may be written. */
function changesIn(trace: string): readonly string[] {
  return callsIn(trace).filter((line) => {
    if (!line.includes('(') || / = -1 E|^\d+ +(?:---|\+\+\+)/.test(line)) return false;
    if (/ open(?:at)?\(/.test(line) && !/O_WRONLY|O_RDWR|O_CREAT|O_TRUNC/.test(line)) return false;
    return !line.includes('"/dev/null"') && !line.includes('"/dev/tty"') && !line.includes(join(aside, 'tmp'));
  });
}

interface Run {
  readonly isReading: boolean;
  readonly changes: readonly string[];
}

async function runIfReading(line: string): Promise<Run> {
  const { files } = tools.environment;
  const context = { files, env: process.env, allowedBy: 'default' } as const;
  const folder = { given: '.', real: tools.workspace, leadsThere: async () => true };
  const reading = await assessReading({ kind: 'shell', line }, folder, context);
  if (reading === undefined) return { isReading: false, changes: [] };
  const { command, args, environment } = await readingToRun(reading, folder, context, 'bash');
  const before = tree();
  const trace = join(aside, 'trace');
  const traced = hasStrace
    ? ['strace', '-f', '-qq', '-o', trace, '-e', `trace=${CALLS}`, command, ...args]
    : [command, ...args];
  const [program = '', ...words] = traced;
  spawnSync(program, words, {
    cwd: tools.workspace,
    env: { ...environment, TMPDIR: join(aside, 'tmp'), PATH: `${environment.PATH}:${process.env.PATH}` },
    stdio: ['ignore', 'ignore', 'ignore'],
    timeout: 20_000,
  });
  const after = tree();
  const changed = Object.keys({ ...before, ...after }).filter((name) => before[name] !== after[name]);
  return { isReading: true, changes: [...changed, ...(hasStrace ? changesIn(readFileSync(trace, 'utf8')) : [])] };
}

test(
  'generated lines that are judged to be reading change nothing',
  async () => {
    let run = 0;
    let asked = 0;
    await fc.assert(
      fc.asyncProperty(lineByTables, async (line) => {
        const { isReading, changes } = await runIfReading(line);
        if (isReading) run++;
        else asked++;
        expect([line, changes]).toEqual([line, []]);
      }),
      { numRuns: repetitions(150, 4_000) },
    );
    // Neither all nor nothing is judged to be reading, or the lines prove nothing.
    expect(run).toBeGreaterThan(repetitions(10, 400));
    expect(asked).toBeGreaterThan(repetitions(10, 400));
  },
  repetitions(120_000, 3_600_000),
);

test('the control: a call is known by its result, wherever strace tells that', () => {
  const trace = [
    '1 connect(4, {sa_family=AF_UNIX, sun_path="/socket"}, 110 <unfinished ...>',
    '2 unlink("a" <unfinished ...>',
    '1 <... connect resumed>)    = -1 ENOENT (No such file or directory)',
    '2 <... unlink resumed>) = 0',
  ];
  expect(changesIn(trace.join('\n'))).toEqual(['2 unlink("a") = 0']);
});

describe('the control: what writes is noticed by either way', () => {
  test.each(['touch made', 'sort -o made a.txt', 'sed -i s/o/0/ a.txt', 'rm a.txt', 'mv a.txt made', 'ln a.txt made'])(
    '%s',
    async (line) => {
      const before = tree();
      const trace = join(aside, 'trace');
      const program = hasStrace ? ['strace', '-f', '-qq', '-o', trace, '-e', `trace=${CALLS}`] : [];
      const [command = '', ...args] = [...program, 'sh', '-c', line];
      spawnSync(command, args, { cwd: tools.workspace, stdio: 'ignore' });
      expect(tree()).not.toEqual(before);
      if (hasStrace) expect(changesIn(readFileSync(trace, 'utf8'))).not.toEqual([]);
    },
  );
});
