import type { Played } from '../fixtures/everyday-sessions/play.ts';
import { KINDS, type Kind } from '../fixtures/everyday-sessions/user.ts';

/** Markdown: one line for each session, sums and averages last. */
export function sessionTable(played: readonly Played[]): string {
  const countOf = (each: Played, kind: Kind) => each.questions.filter((question) => question.kind === kind).length;
  const sessions = played.map((each): readonly (string | number)[] => [
    each.session.title,
    each.calls,
    ...KINDS.map((kind) => countOf(each, kind)),
    each.questions.length,
  ]);
  const columns = KINDS.map((kind) => sum(played.map((each) => countOf(each, kind))));
  const sums = [
    sum(played.map(({ calls }) => calls)),
    ...columns,
    sum(played.map(({ questions }) => questions.length)),
  ];
  const averages = sums.map((total) => (total / played.length).toFixed(2));
  return markdown([
    ['session', 'calls', ...KINDS, 'all'],
    ...sessions.map((cells) => cells.map((cell) => (cell === 0 ? '' : String(cell)))),
    [`**all ${played.length}**`, ...sums.map(String)],
    ['**on average**', ...averages],
  ]);
}

/** Markdown: what was asked, why, and which rule was kept. */
export function everyQuestion(played: readonly Played[]): string {
  const asked = played.filter(({ questions }) => questions.length > 0);
  return asked
    .map(({ session, questions }) => {
      const lines = questions.map(({ kind, tool, what, reason, kept }) => {
        const rule = kept === undefined ? '' : ` Kept: ${kept}.`;
        return `- ${kind}, ${tool}: \`${what.replace(/\s+/g, ' ')}\`: ${reason}${rule}`;
      });
      return `### ${session.title}\n\n${lines.join('\n')}\n`;
    })
    .join('\n');
}

function markdown(rows: readonly (readonly string[])[]): string {
  const [heading = [], ...rest] = rows;
  const widths = heading.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0), 3));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0))).join(' | ')} |`;
  const rule = `|${widths.map((width, column) => (column === 0 ? '-'.repeat(width + 2) : `${'-'.repeat(width + 1)}:`)).join('|')}|`;
  return `${[line(heading), rule, ...rest.map(line)].join('\n')}\n`;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((so, number) => so + number, 0);
}
