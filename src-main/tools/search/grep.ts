import { z } from 'zod';
import { pathOnOneLine } from '../../base/text.ts';
import { isSecretFile } from '../../policy/secret-files.ts';
import { ToolFailure } from '../contract.ts';
import { defineTool } from '../define-tool.ts';
import { orFailure } from '../files/file-failure.ts';
import { requireSamePlace } from '../files/place.ts';
import type { FoundPath, WorkspaceFiles } from '../files/workspace-files.ts';
import { type GrepFile, type GrepFindings, type GrepReport, grepFiles } from './grep-files.ts';
import type { MatchedLine } from './match-records.ts';
import { filesCard, matchesCard } from './matches-card.ts';
import { searchNotices } from './search-notices.ts';
import { requireSearchable, SearchFailure } from './text-search.ts';

const GUARD_MS = 10_000;
/** More lines than any searchable file has. */
const MAX_CONTEXT = 1_000_000;
const NOTICES = { guardMs: GUARD_MS, narrowWith: 'path, glob or a longer pattern' };

type OutputMode = 'files_with_matches' | 'content' | 'count';

/** Finds lines that match a regular expression, or the files that contain some. Source: tool catalogue B.1. */
export const grep = defineTool({
  name: 'grep',
  access: 'read',
  description:
    'Search files with a case-sensitive regular expression. Returns the absolute paths of matching files or, depending on output_mode, the matching lines, optionally with context, or their count. Hidden and ignored files are searched too.',
  input: z.object({
    pattern: z.string().describe('Regular expression'),
    path: z.string().default('.').describe('File or folder, relative to the workspace or absolute'),
    output_mode: z
      .enum(['files_with_matches', 'content', 'count'])
      .default('files_with_matches')
      .describe('Paths of files, matching lines, or the number of matching lines in each file'),
    case_insensitive: z.boolean().default(false).describe('Ignore case'),
    line_numbers: z.boolean().default(false).describe('Number the lines (content only)'),
    context_before: contextLines().describe('Lines to show before each match (content only)'),
    context_after: contextLines().describe('Lines to show after each match (content only)'),
    glob: z.string().default('').describe('Which files, by name: *.cs or *.{js,ts}'),
    multiline: z.boolean().default(false).describe('A match may span lines, and . also matches line ends'),
    head_limit: z.number().min(0).default(0).describe('Return at most this many lines of output; 0 = all'),
  }),
  strictParameters: ['path', 'glob'],
  words: { title: 'Search files', done: 'Searched files for', icon: 'search', about: ['pattern', 'path'] },
  manual: {
    example: { pattern: 'TODO', output_mode: 'content', line_numbers: true, glob: '*.ts' },
    limits: [
      'Not searched: .git, links to folders, files that usually hold secrets (they are named), and files with a NUL byte among their first 8,192 bytes.',
      'The search stops after 10 seconds, or at 10 MB of output, and returns what was found by then.',
    ],
  },
  async assess(input, { files }) {
    const place = await existing(files, input.path);
    const isSecret = place.kind === 'file' && isSecretFile(place.real, place.absolute);
    const access = {
      kind: 'file',
      class: 'read',
      ...(place.kind === 'directory' ? { isFolder: true as const } : {}),
      path: place.real,
      outsideRoots: false,
      ...(isSecret ? { isSecret } : {}),
    } as const;
    return { access: [access], plan: { place, input } };
  },
  async execute({ place, input }, { files, processes, signal, card }) {
    const { pattern, path, output_mode, line_numbers, head_limit } = input;
    const report = reportFor(output_mode, input);
    const query = {
      text: pattern,
      isRegex: true,
      isCaseSensitive: !input.case_insensitive,
      spansLines: input.multiline,
    };
    const findings = await orGrepFailure(path, async () => {
      requireSearchable({ pattern, glob: input.glob });
      await requireSamePlace(place, 'read');
      return grepFiles({ query, report, glob: input.glob }, place, { files, processes, signal, guardMs: GUARD_MS });
    });
    const notices = searchNotices(findings, NOTICES);
    if (findings.files.length === 0) {
      if (findings.ending === 'timed-out') throw new ToolFailure('Error: Regex error: timed out');
      if (findings.binaryFiles.length > 0) card(cardOf(findings, output_mode));
      return ['No matches found', ...notices].join('\n');
    }
    card(cardOf(findings, output_mode));
    const shown = firstLines(outputLines(findings, report, line_numbers), head_limit);
    if (output_mode === 'count')
      shown.push(`Total matches: ${findings.files.reduce((sum, { count }) => sum + count, 0)}`);
    return [...shown, ...notices].join('\n');
  },
});

function contextLines() {
  return z.number().min(0).max(MAX_CONTEXT).default(0);
}

async function existing(files: WorkspaceFiles, path: string): Promise<FoundPath> {
  const place = await orFailure('Error: ', path, () => files.find(path));
  if (place === null) throw new ToolFailure(`Error: Directory not found: ${path}`);
  return place;
}

function reportFor(
  mode: OutputMode,
  { context_before, context_after }: { context_before: number; context_after: number },
): GrepReport {
  if (mode === 'files_with_matches') return { kind: 'files' };
  if (mode === 'count') return { kind: 'counts' };
  return { kind: 'lines', before: Math.trunc(context_before), after: Math.trunc(context_after) };
}

async function orGrepFailure(path: string, search: () => Promise<GrepFindings>): Promise<GrepFindings> {
  return orFailure('Error: ', path, async () => {
    try {
      return await search();
    } catch (error) {
      if (!(error instanceof SearchFailure)) throw error;
      throw error.why === 'query' ? new ToolFailure(`Error: Regex error: ${error.message}`, { cause: error }) : error;
    }
  });
}

function cardOf(findings: GrepFindings, mode: OutputMode) {
  if (mode === 'content') return matchesCard(findings.files, findings);
  return filesCard(
    findings.files.map(({ path, count }) => (mode === 'count' ? { path, count } : { path })),
    findings,
  );
}

function outputLines({ files }: GrepFindings, report: GrepReport, isNumbered: boolean): string[] {
  if (report.kind === 'files') return files.map(({ path }) => pathOnOneLine(path));
  if (report.kind === 'counts') return files.map(({ path, count }) => `${pathOnOneLine(path)}:${count}`);
  const hasGroups = report.before + report.after > 0;
  return files.flatMap((file, index) => [
    ...(hasGroups && index > 0 ? [GROUP_SEPARATOR] : []),
    ...file.lines.flatMap((line) => [
      ...(hasGroups && line.startsGroup ? [GROUP_SEPARATOR] : []),
      contentLine(file, line, isNumbered),
    ]),
  ]);
}

const GROUP_SEPARATOR = '--';

function contentLine({ path }: GrepFile, { number, text, isMatch }: MatchedLine, isNumbered: boolean): string {
  const separator = isMatch ? ':' : '-';
  const shown = pathOnOneLine(path);
  return isNumbered ? `${shown}${separator}${number}${separator}${text}` : `${shown}${separator}${text}`;
}

function firstLines(lines: string[], limit: number): string[] {
  const count = Math.trunc(limit);
  return count > 0 ? lines.slice(0, count) : lines;
}
