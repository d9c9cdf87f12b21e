import { type Access, isEvent } from '../access.ts';
import { commandLine } from '../commands/command-line.ts';
import type { ToolConsentRequest } from '../consent.ts';
import { type QuestionPart, valueText } from './question-parts.ts';

/**
 * A call's arguments, split into those that the answer depends on and those that the rest of the card already shows,
 * which a surface may fold. If the card does not show exactly what happens, all are of the first kind. Otherwise a
 * server could name a parameter so that what matters is folded away.
 */
export function argumentsPart(request: ToolConsentRequest): Extract<QuestionPart, { kind: 'arguments' }> {
  const shown = shownBy(request);
  const all = Object.entries(request.input).map(([name, value]) => ({ name, value, text: valueText(value) }));
  const isDerived = ({ name, value }: { readonly name: string; readonly value: unknown }) =>
    shown !== undefined &&
    (request.defaulted.includes(name) ||
      (typeof value === 'string' && shown(value)) ||
      (typeof value === 'number' && isParameter(request, name, value)));
  const named = (arguments_: typeof all) => arguments_.map(({ name, text }) => ({ name, text }));
  // The command runs already. The answer is about nothing but the hosts.
  const isOfHosts = request.access.length > 0 && request.access.every(({ kind }) => kind === 'connection');
  if (isOfHosts) return { kind: 'arguments', values: [], derived: named(all) };
  return {
    kind: 'arguments',
    values: named(all.filter((each) => !isDerived(each))),
    derived: named(all.filter(isDerived)),
  };
}

type Shown = (text: string) => boolean;

/** A test for texts that are shown elsewhere on the card. Undefined if the card does not show exactly what happens. */
function shownBy(request: ToolConsentRequest): Shown | undefined {
  if (request.access.length === 0) return undefined;
  return shownByCommands(request) ?? shownByChanges(request) ?? shownAsMessage(request) ?? shownByReads(request);
}

function shownByCommands({ access, said }: ToolConsentRequest): Shown | undefined {
  const commands = access.flatMap((each) => (each.kind === 'command' ? [each] : []));
  if (commands.length < access.length) return undefined;
  const lines = commands.map(({ command }) => withoutQuotes(commandLine(command)));
  const folders = commands.map(({ directory }) => directory);
  return (text) =>
    text === '' ||
    text.trim() === said.trim() ||
    lines.some((line) => line.includes(withoutQuotes(text))) ||
    endsOneOf(folders, text);
}

function shownByChanges({ access, previews }: ToolConsentRequest): Shown | undefined {
  const changes = previews.flatMap((each) => (each.kind === 'diff' ? [each] : []));
  const paths = changes.map(({ path }) => path);
  const areShown = access.every((each) => each.kind === 'file' && paths.includes(each.path));
  if (changes.length === 0 || !areShown || changes.some(({ note }) => note !== undefined)) return undefined;
  return (text) =>
    endsOneOf(paths, text) ||
    changes.some(({ before, after }) => after.includes(text) || before?.includes(text) === true);
}

/** Applies to mails and events, because a card shows all of them, including the guests. */
function shownAsMessage({ access }: ToolConsentRequest): Shown | undefined {
  const hasEvent = access.some(isEvent);
  const isShown = (each: Access) => isEvent(each) || each.kind === 'mail' || (each.kind === 'invitation' && hasEvent);
  return access.every(isShown) ? () => true : undefined;
}

/** Applies to requests without a body and to reading files. */
function shownByReads({ access, classes }: ToolConsentRequest): Shown | undefined {
  const areReads = classes.every((each) => each === 'read' || each === 'network' || each === 'network-private');
  const paths = access.flatMap((each) => (each.kind === 'file' ? [each.path] : []));
  const urls = access.flatMap((each) => (each.kind === 'request' && each.method === 'GET' ? [each.url] : []));
  if (!areReads || paths.length + urls.length < access.length) return undefined;
  const parameters = new Set(urls.flatMap(clearParameters));
  return (text) =>
    endsOneOf(paths, text) ||
    parameters.has(text) ||
    urls.some((url) => url === text || (URL.canParse(text) && new URL(text).href === url));
}

/**
 * The parameters that a reader can see in an address. An encoded letter can't be read there: `%73ecret` is `secret`.
 */
function clearParameters(url: string): readonly string[] {
  const query = URL.canParse(url) ? new URL(url).search.slice(1) : '';
  return query.split('&').map((each) => each.slice(each.indexOf('=') + 1).replace(/\+|%20/g, ' '));
}

/**
 * Whether the address has the number under the same name. The number alone could be any: 1 is found in nearly every
 * address.
 */
function isParameter({ access }: ToolConsentRequest, name: string, value: number): boolean {
  return access.some(
    (each) =>
      each.kind === 'request' &&
      URL.canParse(each.url) &&
      new URL(each.url).searchParams.getAll(name).includes(String(value)),
  );
}

/** Removes quotes, because a model quotes the arguments of a program differently from the command that is run. */
function withoutQuotes(text: string): string {
  return text.replace(/["'\\\s]/g, '');
}

function endsOneOf(paths: readonly string[], given: string): boolean {
  const path = given
    .replaceAll('\\', '/')
    .replace(/^(?:\.\/)+/, '')
    .replace(/(?<!\/)\/+$/, '');
  return (
    path !== '' &&
    paths.map((each) => each.replaceAll('\\', '/')).some((each) => each === path || each.endsWith(`/${path}`))
  );
}
