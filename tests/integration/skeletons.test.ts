import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { json } from 'node:stream/consumers';
import { fileURLToPath, pathToFileURL } from 'node:url';
import ts from 'typescript';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import type { ModelProvider, ModelStreamEvent } from '../../src-main/models/provider.ts';
import type { ProviderOptions } from '../../src-main/models/provider-options.ts';
import type { Tool } from '../../src-main/tools/contract.ts';
import { allowAll } from '../fixtures/allow-all.ts';
import { ToolHarness } from '../fixtures/tool-harness.ts';

/** The code that docs/SKELETONS.md gives to copy, at the place that its first line names. */

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const FENCED = /^```ts\n\/\/ (?<path>src-main\/\S+\.ts)\n(?<code>.*?)^```$/gms;

let skeletons: ReadonlyMap<string, string>;
beforeAll(() => {
  const page = readFileSync(join(ROOT, 'docs', 'SKELETONS.md'), 'utf8');
  skeletons = new Map(
    [...page.matchAll(FENCED)].map(({ groups }) => [join(ROOT, groups?.path ?? ''), groups?.code ?? '']),
  );
});

/** Errors of the compiler in these files, as if they were in their places. */
function compiled(files: ReadonlyMap<string, string>): readonly string[] {
  const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent({ ...config, files: [], include: [] }, ts.sys, ROOT);
  const host = ts.createCompilerHost({ ...options, noEmit: true, incremental: false, composite: false });
  const { readFile, fileExists, getSourceFile } = host;
  host.fileExists = (file) => files.has(file) || fileExists(file);
  host.readFile = (file) => files.get(file) ?? readFile(file);
  host.getSourceFile = (file, language, ...rest) => {
    const code = files.get(file);
    return code === undefined ? getSourceFile(file, language, ...rest) : ts.createSourceFile(file, code, language);
  };
  const program = ts.createProgram([...files.keys()], { ...options, noEmit: true, incremental: false }, host);
  // Only these are checked: what they import is checked with everything else.
  return [...files.keys()].flatMap((file) =>
    ts
      .getPreEmitDiagnostics(program, program.getSourceFile(file))
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n')),
  );
}

/** Loads one from outside the sources, with its imports where they are. */
async function loaded(name: string): Promise<Readonly<Record<string, unknown>>> {
  const [path = '', code = ''] = [...skeletons].find(([each]) => basename(each) === name) ?? [];
  const folder = mkdtempSync(join(tmpdir(), 'steward-skeleton-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const placed = code.replaceAll(/from '([^']+)'/g, (_all, specifier: string) => {
    const target = specifier.startsWith('.') ? resolve(dirname(path), specifier) : undefined;
    return `from '${target ?? fileURLToPath(import.meta.resolve(specifier))}'`;
  });
  writeFileSync(join(folder, name), placed);
  return import(pathToFileURL(join(folder, name)).href);
}

test('each skeleton compiles in the folder where it belongs', () => {
  expect([...skeletons.keys()].map((path) => basename(path))).toEqual(['count-words.ts', 'example-provider.ts']);
  expect(compiled(skeletons)).toEqual([]);
  const broken = new Map(
    [...skeletons].map(([path, code]) => [path, code.replace("access: 'read'", "access: 'look'")]),
  );
  expect(compiled(broken)).not.toEqual([]);
}, 120_000);

test('the tool runs through the registry and the gate', async () => {
  const { countWords } = (await loaded('count-words.ts')) as { countWords: Tool };
  const harness = new ToolHarness({ consent: allowAll });
  onTestFinished(() => harness.dispose());
  harness.put('notes.md', 'one two\nthree');
  harness.registry.register({ tool: countWords, category: 'core' });
  harness.registry.buildAll();
  expect(await harness.text('count_words', { path: 'notes.md' })).toBe('3 words in notes.md');
  expect(await harness.text('count_words', {})).toBe('Error counting words: path is required');
  expect(await harness.text('count_words', { path: '../outside' })).toMatch(/^Error: Access denied/);
});

test('the provider answers, and says what is wrong when it cannot', async () => {
  const seen: unknown[] = [];
  const server = createServer(async (request, response) => {
    seen.push(await json(request));
    const isKnown = request.headers.authorization === 'Bearer right';
    response.writeHead(isKnown ? 200 : 401, { 'content-type': 'application/json' });
    response.end(JSON.stringify(isKnown ? { text: 'Hello.' } : { error: { message: 'no such key' } }));
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await new Promise((listening) => server.once('listening', listening));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { ExampleProvider } = (await loaded('example-provider.ts')) as {
    ExampleProvider: new (options: ProviderOptions) => ModelProvider;
  };
  const answered = async (key: string): Promise<readonly ModelStreamEvent[]> => {
    const provider = new ExampleProvider({ name: 'example', baseUrl, needsKey: true, apiKey: async () => key });
    const { signal } = new AbortController();
    const request = { model: 'example-1', system: 'Be brief.', messages: [], tools: [], signal };
    const events: ModelStreamEvent[] = [];
    for await (const event of provider.stream(request)) events.push(event);
    return events;
  };
  expect((await answered('right')).map(({ type }) => type)).toEqual(['text', 'block', 'end']);
  await expect(answered('wrong')).rejects.toMatchObject({ code: 'wrong_key' });
  expect(seen).toContainEqual({ model: 'example-1', system: 'Be brief.', messages: [] });
});
