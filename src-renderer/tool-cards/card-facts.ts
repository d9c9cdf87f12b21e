import type { ToolCard } from '../../src-preload/contract/tool-card.ts';
import { counted, sizeText } from '../ui/amounts.ts';
import { isCancelled } from './event-times.ts';

/** Short facts in a card's header: only what is useful while the card is closed. */
export interface CardFact {
  readonly text: string;
  /** What screen readers say, where the text alone says little. */
  readonly spoken?: string;
  readonly tone: 'plain' | 'added' | 'removed' | 'warning';
}

export function cardFacts(card: ToolCard): readonly CardFact[] {
  switch (card.kind) {
    case 'diff':
      return [
        ...(card.isNew ? [plain('new file')] : []),
        ...lineFact('+', card.added, 'added'),
        ...lineFact('−', card.removed, 'removed'),
        ...encodingFact(card.encoding),
      ];
    case 'file-text':
      return encodingFact(card.encoding);
    case 'matches':
      return [plain(matchesText(card))];
    case 'results':
      return [plain(counted(card.results.length, 'result'))];
    case 'jobs':
      return [plain(counted(card.jobs.length, 'job'))];
    case 'page':
      return [...statusFact(card.status), plain(sizeText(card.size)), ...encodingFact(card.encoding)];
    case 'terminal':
      return [...terminalFacts(card), ...boundsFact(card)];
    case 'todos':
      return card.todos.length === 0 ? [plain('cleared')] : [plain(progressText(card.todos))];
    case 'mail-list':
      return [plain(card.messages.length === 0 ? 'nothing found' : counted(card.messages.length, 'mail'))];
    case 'mail':
      return card.attachments.length === 0 ? [] : [plain(counted(card.attachments.length, 'attachment'))];
    case 'agenda':
      return [plain(card.events.length === 0 ? 'no events' : counted(card.events.length, 'event'))];
    case 'calendar-event':
      return [
        ...(card.isNew ? [plain('new')] : []),
        ...(isCancelled(card.event) ? [warning('cancelled')] : []),
        ...(card.guests.length === 0 ? [] : [plain(counted(card.guests.length, 'guest'))]),
      ];
    default:
      return [];
  }
}

/** `2 of 5`. */
export function progressText(todos: Extract<ToolCard, { kind: 'todos' }>['todos']): string {
  return `${todos.filter(({ status }) => status === 'completed').length} of ${todos.length}`;
}

/** Nothing if all went as expected. */
function statusFact(status: number): readonly CardFact[] {
  if (status < 300) return [];
  return [(status < 400 ? plain : warning)(`HTTP ${status}`)];
}

/** The encoding, unless it is UTF-8. */
function encodingFact(encoding: string | undefined): readonly CardFact[] {
  return encoding === undefined ? [] : [plain(encoding)];
}

function lineFact(sign: string, count: number, tone: 'added' | 'removed'): readonly CardFact[] {
  return count === 0 ? [] : [{ text: `${sign}${count}`, spoken: `${counted(count, 'line')} ${tone}`, tone }];
}

function terminalFacts({ ending, exitCode, shellId }: Extract<ToolCard, { kind: 'terminal' }>): readonly CardFact[] {
  switch (ending) {
    case 'timed-out':
      return [warning('timed out')];
    case 'over-memory':
      return [warning('used too much memory')];
    case 'over-processes':
      return [warning('too many processes')];
    case 'over-temporary-files':
      return [warning('temporary files too large')];
    case 'over-time':
      return [warning('took too long')];
    case 'stopped':
      // The state of the call already says it.
      return [];
    case 'background':
      return [plain(shellId === undefined ? 'running in background' : `running in background: ${shellId}`)];
    default:
      return exitCode === undefined || exitCode === 0 ? [] : [warning(`exit code ${exitCode}`)];
  }
}

function boundsFact({ bounds }: Extract<ToolCard, { kind: 'terminal' }>): readonly CardFact[] {
  if (bounds === undefined) return [];
  return [plain(bounds === 'read-only' ? 'read-only' : 'sandbox')];
}

function matchesText({ matches, total }: Extract<ToolCard, { kind: 'matches' }>): string {
  if (total === 0) return 'nothing found';
  const files = new Set(matches.map(({ path }) => path)).size;
  const areFiles = matches.every(({ line, text }) => line === undefined && text === undefined);
  if (areFiles) return counted(total, 'file');
  // It is unknown how many files contain the matches that the card leaves out.
  return total > matches.length
    ? counted(total, 'match', 'matches')
    : `${counted(total, 'match', 'matches')} in ${counted(files, 'file')}`;
}

const plain = (text: string): CardFact => ({ text, tone: 'plain' });
const warning = (text: string): CardFact => ({ text, tone: 'warning' });
