import { type Access, isEvent } from '../access.ts';
import { commandLine } from '../commands/command-line.ts';
import type { ToolConsentRequest } from '../consent.ts';
import { type QuestionPart, valueText } from './question-parts.ts';

/**
 * A call's arguments, split into those the answer depends on and those that the rest of the card already shows. A
 * surface may fold the latter. If the card does not show exactly what happens, all arguments are of the first kind.
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
  return {
    kind: 'arguments',
    values: named(all.filter((each) => !isDerived(each))),
    derived: named(all.filter(isDerived)),
  };
}

type Shown = (text: string) => boolean;

/** Tests whether a text is shown elsewhere on the card; `undefined` if the card does not show exactly what happens. */
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

/** All of a mail is shown, and all of an event with its guests. */
function shownAsMessage({ access }: ToolConsentRequest): Shown | undefined {
  const hasEvent = access.some(isEvent);
  const isShown = (each: Access) => isEvent(each) || each.kind === 'mail' || (each.kind === 'invitation' && hasEvent);
  return access.every(isShown) ? () => true : undefined;
}

/** A request without a body, or a file read. */
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

/** The parameters of an address that can be read in it: an encoded letter can't. */
function clearParameters(url: string): readonly string[] {
  const query = URL.canParse(url) ? new URL(url).search.slice(1) : '';
  return query.split('&').map((each) => each.slice(each.indexOf('=') + 1).replace(/\+|%20/g, ' '));
}

/** Under its own name: a number alone could be any. */
function isParameter({ access }: ToolConsentRequest, name: string, value: number): boolean {
  return access.some(
    (each) =>
      each.kind === 'request' &&
      URL.canParse(each.url) &&
      new URL(each.url).searchParams.getAll(name).includes(String(value)),
  );
}

/** The model's quoting of a program's arguments differs from that of the command that is run. */
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
