import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
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

test("the server package is the bundled server's alone: nothing that the app loads leads to it", async () => {
  const output = await builtOutput();
  const reached = (entry: string): string[] => {
    const seen = new Set<string>();
    const follow = (file: string) => {
      // What a comment names may not be there.
      if (seen.has(file) || !existsSync(file)) return;
      seen.add(file);
      const text = readFileSync(file, 'utf8');
      for (const [, path = ''] of text.matchAll(/(?:from|import)\s*\(?\s*["'](\.{1,2}\/[^"']+\.js)["']/g))
        follow(join(dirname(file), path));
    };
    follow(join(output, entry));
    return [...seen];
  };
  const hasServer = (file: string) => /(?:class|var|let) StdioServerTransport\b/.test(readFileSync(file, 'utf8'));
  expect(reached('system-info.js').some(hasServer)).toBe(true);
  expect([...reached('main.js'), ...reached('terminal.js')].filter(hasServer)).toEqual([]);
});
