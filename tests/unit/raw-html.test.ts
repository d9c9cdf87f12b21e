import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findRawHtml, RAW_HTML_FILE } from '../../scripts/raw-html.mjs';

async function rendererWith(file: string, text: string): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'steward-raw-html-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  await mkdir(dirname(join(root, file)), { recursive: true });
  await writeFile(join(root, file), text);
  return root;
}

test.each([
  ['chat/Message.svelte', '<p>{@html message}</p>'],
  ['chat/Message.svelte', '<p>{ @html message }</p>'],
  ['ui/Markdown.svelte', '<p>\n{@html message}</p>'],
  ['chat/show.svelte.ts', 'element.innerHTML = text;'],
  ['chat/show.ts', 'element.outerHTML = text;'],
  ['chat/show.ts', "element.insertAdjacentHTML('beforeend', text);"],
  ['ui/Frame.svelte', '<iframe srcdoc={text}></iframe>'],
  ['app/index.html', '<script>document.write(name)</script>'],
])('unsanitised markup in %s is found: %s', async (file, text) => {
  const root = await rendererWith(`src-renderer/${file}`, text);
  expect(findRawHtml(root)).toEqual([expect.stringContaining(`src-renderer/${file}:`)]);
});

test('the place is given as file, line and text', async () => {
  const root = await rendererWith('src-renderer/chat/Message.svelte', '<p>\n  {@html message}\n</p>\n');
  expect(findRawHtml(root)).toEqual(['src-renderer/chat/Message.svelte:2: {@html message}']);
});

test('the sanitising component may, but not another one of that name', async () => {
  expect(findRawHtml(await rendererWith(RAW_HTML_FILE, '{@html sanitized}'))).toEqual([]);
  const elsewhere = RAW_HTML_FILE.replace('/ui/', '/chat/');
  expect(findRawHtml(await rendererWith(elsewhere, '{@html sanitized}'))).toHaveLength(1);
});

test('text, comparisons and other folders are left alone', async () => {
  expect(findRawHtml(await rendererWith('src-renderer/ui/Text.svelte', '<p>{text}{@const html = 1}</p>'))).toEqual([]);
  expect(findRawHtml(await rendererWith('src-renderer/ui/same.ts', 'if (a.innerHTML === b) stop();'))).toEqual([]);
  expect(findRawHtml(await rendererWith('src-main/tools/page.ts', 'page.innerHTML = 1;'))).toEqual([]);
});
