import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { FoundServer } from '../../../src-main/mcp/setup/found-server.ts';
import { type PastedServers, pastedServers } from '../../../src-main/mcp/setup/pasted-servers.ts';
import { splitCommandWords } from '../../../src-main/policy/shell-words.ts';
import { judged } from './judge.ts';
import { readmeBlocks } from './readme-blocks.ts';

const CACHE = join(tmpdir(), 'steward-pastes');
const HELP = `npm run pastes -- [--all] PACKAGE or README …

Takes the README of each npm package (into ${CACHE}), pastes every set-up in it by itself, and says how it is read.
--all: also what is right.`;

const { values, positionals } = parseArgs({
  options: { all: { type: 'boolean', default: false }, help: { type: 'boolean', default: false } },
  allowPositionals: true,
});
if (values.help || positionals.length === 0) {
  console.log(HELP);
  process.exit(values.help ? 0 : 1);
}

const counts = { right: 0, wrong: 0, refused: 0, unjudged: 0 };
let packages = 0;
for (const given of positionals) {
  const markdown = readmeOf(given);
  if (markdown === undefined) {
    console.log(`${given}: no README`);
    continue;
  }
  packages += 1;
  const blocks = readmeBlocks(markdown);
  const judgments = blocks.map((block) => {
    const result = pastedServers(block.text, splitCommandWords);
    return { block, result, ...judged(block, result) };
  });
  const own = judgments.filter(({ verdict }) => verdict === 'right').length;
  console.log(`${given}: ${own} of ${blocks.length} right`);
  for (const { block, result, verdict, why } of judgments) {
    counts[verdict] += 1;
    if (verdict === 'right' && !values.all) continue;
    console.log(`  -- ${verdict} ${why}`);
    console.log(indented(block.text.slice(0, 1_500), '     | '));
    console.log(indented(described(result), '     > '));
  }
}
const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
console.log(
  `${packages} READMEs, ${total} set-ups: ${Object.entries(counts)
    .map(([verdict, count]) => `${count} ${verdict}`)
    .join(', ')}`,
);

/** Takes only the README out of the package. Nothing of the package runs. */
function readmeOf(given: string): string | undefined {
  if (existsSync(given) && statSync(given).isFile()) return readFileSync(given, 'utf8');
  const folder = join(CACHE, given.replaceAll('/', '~'));
  if (!existsSync(folder)) {
    mkdirSync(folder, { recursive: true });
    const [packed] = JSON.parse(
      execFileSync('npm', ['pack', '--json', '--ignore-scripts', given], { cwd: folder, encoding: 'utf8' }),
    ) as [{ filename: string }];
    execFileSync('tar', ['xzf', packed.filename, '--strip-components=1'], { cwd: folder });
  }
  const file = readdirSync(folder).find((name) => /^readme(?:\.md)?$/i.test(name));
  return file === undefined ? undefined : readFileSync(join(folder, file), 'utf8');
}

function described(result: PastedServers): string {
  if ('problem' in result) return JSON.stringify(result.problem);
  return result.setups
    .flatMap(({ format, servers, unread }) => [
      ...servers.map((server) => `[${format}] ${serverText(server)}`),
      ...(unread.length === 0 ? [] : [JSON.stringify(unread)]),
    ])
    .join('\n');
}

function serverText({ name, transport, command, args, url, env, headers, parts, remarks }: FoundServer): string {
  const text = ({ name: own, before, value, after, blank, isSecret }: FoundServer['env'][number]) =>
    `${own}=${before}${blank === undefined ? value : `⟦${blank.hint}${value === '' ? '' : `|${value}`}⟧`}${after}${isSecret ? ' (secret)' : ''}`;
  const values = [...env, ...headers, ...parts].map(text).join('; ');
  const said = remarks.map((remark) => Object.values(remark).join(' ')).join('; ');
  return `${name}: ${transport} ${command === '' ? url : JSON.stringify([command, ...args])}${values === '' ? '' : `\n    ${values}`}${said === '' ? '' : `\n    (${said})`}`;
}

function indented(text: string, by: string): string {
  return text
    .split('\n')
    .map((line) => by + line)
    .join('\n');
}
