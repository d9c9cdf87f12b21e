import type { UnreadEntry } from '../../../src-preload/contract/pasted-text.ts';
import { isRecord, ownValue } from '../../base/json.ts';
import { nameFromPath } from './server-names.ts';
import { askedText, EMPTY_WRITTEN, type NamedText, type WrittenServer, type WrittenText } from './written-server.ts';

/**
 * The registry's `server.json`. Source:
 * https://github.com/modelcontextprotocol/registry/blob/main/docs/reference/server-json.
 */

type Record_ = Readonly<Record<string, unknown>>;

export function isRegistryServer(value: Record_): boolean {
  const lists = [value.packages, value.remotes].filter(Array.isArray);
  return lists.some((list) =>
    list.some(
      (each: unknown) =>
        isRecord(each) && ('transport' in each || 'identifier' in each || 'url' in each || registryType(each) !== ''),
    ),
  );
}

/** One server for each package and remote, of which one is enough. */
export function registryServers(value: Record_): readonly (WrittenServer | UnreadEntry)[] {
  const name =
    nameFromPath(textIn(value, 'name').replace(/^.*\//, '')) ||
    nameFromPath(textIn(value, 'name').replaceAll('.', '/'));
  return [
    ...recordsIn(value.packages).map((each) => packaged(name, each)),
    ...recordsIn(value.remotes).map((each) => remote(name, each)),
  ];
}

function packaged(name: string, given: Record_): WrittenServer | UnreadEntry {
  const transport = isRecord(given.transport) ? given.transport : {};
  const runner = runnerOf(given);
  if (runner === undefined) return { name, code: 'unknown_package', text: registryType(given) };
  const env = inputsOf(given, 'environmentVariables', 'environment_variables').map(named);
  const own = inputsOf(given, 'packageArguments', 'package_arguments').flatMap(argument);
  const ofRuntime = inputsOf(given, 'runtimeArguments', 'runtime_arguments').flatMap(argument);
  const passed =
    runner.command === 'docker'
      ? env.flatMap((each) => [
          { text: '-e', isFixed: true },
          { text: each.name, isFixed: true },
        ])
      : [];
  const isListening = textIn(transport, 'type') !== '' && textIn(transport, 'type') !== 'stdio';
  const isDocker = runner.command === 'docker';
  const before = runner.before
    .filter((text) => !ofRuntime.some((each) => each.text === text))
    .map((text) => ({ text }));
  return {
    ...EMPTY_WRITTEN,
    name,
    command: runner.command,
    env,
    args: [
      ...before,
      ...(isDocker ? passed : []),
      ...ofRuntime.filter(({ text }) => text !== 'run'),
      { text: runner.subject },
      ...runner.after.map((text) => ({ text })),
      ...own,
    ],
    remarks: isListening ? [{ code: 'left_out', key: `transport ${textIn(transport, 'type')}` }] : [],
  };
}

interface Runner {
  readonly command: string;
  readonly before: readonly string[];
  readonly subject: string;
  readonly after: readonly string[];
}

function runnerOf(given: Record_): Runner | undefined {
  const identifier = textIn(given, 'identifier', 'name');
  const version = textIn(given, 'version');
  const hint = textIn(given, 'runtimeHint', 'runtime_hint');
  const at = (separator: string) =>
    version === '' || version === 'latest' || identifier.includes(separator, 1)
      ? identifier
      : `${identifier}${separator}${version}`;
  if (identifier === '') return undefined;
  switch (registryType(given)) {
    case 'npm':
      return {
        command: hint || 'npx',
        before: hint === '' || hint === 'npx' ? ['-y'] : [],
        subject: at('@'),
        after: [],
      };
    case 'pypi':
      return { command: hint || 'uvx', before: [], subject: at('=='), after: [] };
    case 'oci':
    case 'docker':
      return {
        command: hint || 'docker',
        before: ['run', '-i', '--rm'],
        subject: imageWith(identifier, version),
        after: [],
      };
    case 'nuget':
      return { command: hint || 'dnx', before: [], subject: at('@'), after: ['--yes', '--'] };
    default:
      return undefined;
  }
}

function imageWith(identifier: string, version: string): string {
  const hasTag = identifier.includes('@sha256:') || identifier.lastIndexOf(':') > identifier.lastIndexOf('/');
  return hasTag || version === '' ? identifier : `${identifier}:${version}`;
}

function registryType(given: Record_): string {
  return textIn(given, 'registryType', 'registry_type', 'registry_name').toLowerCase();
}

function remote(name: string, given: Record_): WrittenServer {
  const said = textIn(given, 'type', 'transport_type', 'transportType').toLowerCase();
  const headers = inputsOf(given, 'headers').map(named);
  return {
    ...EMPTY_WRITTEN,
    name,
    headers,
    url: filledText({ ...given, value: textIn(given, 'url') }),
    transport: said === 'sse' ? 'sse' : 'http',
  };
}

function named(given: Record_): NamedText {
  return { name: textIn(given, 'name'), ...filledText(given) };
}

/** An optional argument without a value of its own is left out: it is written with others that it depends on. */
function argument(given: Record_): readonly WrittenText[] {
  const isOptional = given.isRequired !== true && given.is_required !== true;
  const hasValue = textIn(given, 'value', 'default') !== '';
  const option = textIn(given, 'type') === 'named' ? textIn(given, 'name') : '';
  if (isOptional && !hasValue && (option === '' || valueHint(given) !== '' || textIn(given, 'description') !== ''))
    return [];
  const flag = option === '' ? [] : [{ text: option }];
  const isFlag = option !== '' && !hasValue && valueHint(given) === '' && textIn(given, 'format') === '';
  return isFlag ? flag : [...flag, filledText(given)];
}

/** A fixed value, a template with `{variables}`, or a value to be entered. */
function filledText(given: Record_): WrittenText {
  const value = textIn(given, 'value');
  const [template = '', variable = ''] = /\{([\w.-]+)\}/.exec(value) ?? [];
  const variables = isRecord(given.variables) ? given.variables : {};
  const asked = ownValue(variables, variable);
  if (value !== '' && (template === '' || !isRecord(asked))) return { text: value };
  const at = template === '' ? 0 : value.indexOf(template);
  const source = isRecord(asked) ? asked : given;
  const secret = source.isSecret ?? source.is_secret;
  return askedText({
    hint: variable || valueHint(source) || textIn(source, 'placeholder') || textIn(source, 'name'),
    before: value.slice(0, at),
    after: value.slice(at + template.length),
    value: textIn(source, 'default'),
    description: textIn(source, 'description') || null,
    isSecret: typeof secret === 'boolean' ? secret : undefined,
    isOptional: source.isRequired !== true && source.is_required !== true,
    choices: Array.isArray(source.choices) ? source.choices.filter((each) => typeof each === 'string') : [],
  });
}

function valueHint(given: Record_): string {
  return textIn(given, 'valueHint', 'value_hint');
}

function inputsOf(given: Record_, ...keys: readonly string[]): readonly Record_[] {
  return keys.flatMap((key) => recordsIn(given[key]));
}

function recordsIn(value: unknown): readonly Record_[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

function textIn(given: Record_, ...keys: readonly string[]): string {
  const value = keys
    .map((key) => given[key])
    .find((each) => typeof each === 'string' || typeof each === 'number' || typeof each === 'boolean');
  return value === undefined ? '' : String(value);
}
