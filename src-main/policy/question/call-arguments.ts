import { commandLine } from '../access-text.ts';
import type { ToolConsentRequest } from '../consent.ts';
import { type QuestionPart, valueText } from './question-parts.ts';

/**
 * The arguments of a call, in two: those that the answer depends on, and those that can be derived from what stands beside them. A
 * surface may fold the second kind away. Where nothing beside them says exactly what happens, none is derived.
 */
export function argumentsPart(request: ToolConsentRequest): Extract<QuestionPart, { kind: 'arguments' }> {
  const shown = shownBy(request);
  const all = Object.entries(request.input).map(([name, value]) => ({ name, value, text: valueText(value) }));
  const isDerived = ({ name, value }: { readonly name: string; readonly value: unknown }) =>
    shown !== undefined && (request.defaulted.includes(name) || (typeof value === 'string' && shown(value)));
  const named = (arguments_: typeof all) => arguments_.map(({ name, text }) => ({ name, text }));
  return {
    kind: 'arguments',
    values: named(all.filter((each) => !isDerived(each))),
    derived: named(all.filter(isDerived)),
  };
}

/** Whether a text stands in a command or a change; `undefined`: there is neither, or more than that is touched. */
function shownBy({ access, previews, said }: ToolConsentRequest): ((text: string) => boolean) | undefined {
  const isSaid = (text: string) => text.trim() === said;
  const commands = access.flatMap((each) => (each.class === 'execute' ? [each] : []));
  if (commands.length > 0 && commands.length === access.length) {
    const lines = commands.map(({ command }) => withoutQuotes(commandLine(command)));
    const folders = commands.map(({ directory }) => directory);
    return (text) =>
      text === '' ||
      isSaid(text) ||
      lines.some((line) => line.includes(withoutQuotes(text))) ||
      endsOneOf(folders, text);
  }
  const changes = previews.flatMap((each) => (each.kind === 'diff' ? [each] : []));
  const paths = changes.map(({ path }) => path);
  const areShown = access.every((each) => 'path' in each && paths.includes(each.path));
  if (changes.length === 0 || !areShown || changes.some(({ note }) => note !== undefined)) return undefined;
  return (text) =>
    endsOneOf(paths, text) || changes.some(({ before, after }) => after?.includes(text) || before?.includes(text));
}

/** How a program's arguments are quoted is one thing in what the model wrote, and another in what is run. */
function withoutQuotes(text: string): string {
  return text.replace(/["'\\\s]/g, '');
}

function endsOneOf(paths: readonly string[], given: string): boolean {
  const path = given
    .replaceAll('\\', '/')
    .replace(/^(?:\.\/)+/, '')
    .replace(/\/+$/, '');
  return (
    path !== '' &&
    paths.map((each) => each.replaceAll('\\', '/')).some((each) => each === path || each.endsWith(`/${path}`))
  );
}
