import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ModelCache } from '../../../src-main/services/model-cache.ts';

const PLACE = 'openai https://api.example.com/v1';
const MODELS = [
  { id: 'large', limits: { contextTokens: 131_072 }, price: { input: 1, output: 2, cacheRead: 0, cacheWrite: 0 } },
  { id: 'small', capabilities: { images: true } },
];

function profile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'steward-cache-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test('a list is there for the next start, with its time, and only for the address that it came from', async () => {
  const folder = profile();
  await new ModelCache(folder).keep('groq', PLACE, { models: MODELS });
  const later = new ModelCache(folder);
  const kept = await later.of('groq', PLACE);
  expect([...kept.models.values()]).toEqual(MODELS);
  expect(Date.now() - Date.parse(kept.listedAt ?? '')).toBeLessThan(60_000);
  expect((await later.of('groq', `${PLACE}/other`)).models.size).toBe(0);
  expect((await later.of('work', PLACE)).models.size).toBe(0);
});

test('a test is kept beside the list, and a new list does not forget it', async () => {
  const cache = new ModelCache(profile());
  const result = { works: true, code: 'ok', message: 'It works.', at: '2031-03-04T12:00:00.000Z' };
  await cache.keep('groq', PLACE, { test: result });
  const kept = await cache.keep('groq', PLACE, { models: MODELS });
  expect(kept.test).toEqual(result);
  await cache.forget('groq');
  expect(await cache.of('groq', PLACE)).toEqual({ listedAt: null, models: new Map(), test: null });
});

test('whatever is in the file, nothing fails; a name is no path', async () => {
  const folder = profile();
  const cache = new ModelCache(folder);
  await cache.keep('../../escape', PLACE, { models: MODELS });
  const place = join(folder, 'cache', 'models');
  const [file = ''] = readdirSync(place);
  expect(readdirSync(folder)).toEqual(['cache']);
  expect(statSync(join(place, file)).mode & 0o077).toBe(0);
  for (const text of [
    '',
    '{',
    '[]',
    '{"place": 1}',
    JSON.stringify({ place: PLACE, models: [{ id: 7 }], listedAt: 'x' }),
  ]) {
    writeFileSync(join(place, file), text);
    expect((await new ModelCache(folder).of('../../escape', PLACE)).models.size, text).toBe(0);
  }
  const odd = { place: PLACE, listedAt: null, test: 'x', models: [{ id: 'a', limits: 'many', price: { input: -1 } }] };
  writeFileSync(join(place, file), JSON.stringify(odd));
  expect((await new ModelCache(folder).of('../../escape', PLACE)).models.get('a')).toEqual({ id: 'a' });
});
