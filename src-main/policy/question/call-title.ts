import type { Access } from '../access.ts';
import { kindOf } from '../accesses/access-kinds.ts';
import type { ToolConsentRequest } from '../consent.ts';

/** The title of a question is about the first of these that the call touches, whatever else it touches. */
const LEADING: readonly Access['kind'][] = ['mcp', 'client', 'invitation'];

/**
 * The question in plain words, such as `Run a command?` or `Change notes.md?`. It follows from the accesses unless the
 * tool has better words, and the tool's name is shown below. A name in the title is untrusted. It is quoted where it
 * could be mistaken for Steward's words: a client called `the weather? (safe)`.
 */
export function callTitle({ asked, access, previews }: ToolConsentRequest): string {
  if (asked !== undefined) return asked;
  const kind = LEADING.find((each) => access.some((one) => one.kind === each)) ?? onlyKind(access);
  const [first, ...others] = access.filter((each) => each.kind === kind);
  const changes = previews.flatMap((each) => (each.kind === 'diff' ? [each] : []));
  return (first && kindOf(first).title([first, ...others], changes)) ?? 'Use this tool?';
}

/** Undefined if the call touches things of several kinds, or nothing. */
function onlyKind(access: readonly Access[]): Access['kind'] | undefined {
  const kinds = [...new Set(access.map(({ kind }) => kind))];
  return kinds.length === 1 ? kinds[0] : undefined;
}

/** The title for several similar calls, such as `Create 3 files?`. */
export function groupTitle(calls: readonly ToolConsentRequest[]): string {
  const [first] = calls;
  if (first === undefined) return 'Use this tool?';
  const access = calls.flatMap((call) => call.access);
  const previews = calls.flatMap((call) => call.previews);
  const title = callTitle({ ...first, asked: undefined, access, previews });
  return title === 'Use this tool?' ? `Use this tool ${calls.length} times?` : title;
}

/** What tells a call from others of its tool: the address, the command, the file. Untrusted. */
export function nameAmong({ access, tool }: ToolConsentRequest): string {
  const [first] = access;
  return (first && kindOf(first).nameOf(first)) ?? tool;
}
