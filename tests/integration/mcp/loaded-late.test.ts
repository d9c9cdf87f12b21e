import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { builtOutput } from '../../../scripts/built-output.mjs';

test('nothing loads the SDK as it starts: it stands in a chunk that is only ever imported when a server is', async () => {
  const output = await builtOutput();
  const files = readdirSync(output, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.js'));
  const texts = files.map((file) => ({ file, text: readFileSync(join(output, file), 'utf8') }));
  const sdk = texts.filter(({ text }) => /(?:class|var|let) StreamableHTTPClientTransport\b/.test(text));
  expect(sdk).toHaveLength(1);
  const name = sdk[0]?.file.split('/').at(-1) ?? '';
  const mentions = texts.flatMap(({ text }) => text.split('\n').filter((line) => line.includes(name)));
  expect(mentions.length).toBeGreaterThan(0);
  expect(mentions.filter((line) => !line.includes(`import("./${name}")`))).toEqual([]);
});
