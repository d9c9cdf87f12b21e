import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { configSchema } from '../../../src-main/settings/config-schema.ts';
import { readConfig } from '../../../src-main/settings/read-config.ts';
import { configManual } from './config-manual.ts';

const path = fileURLToPath(new URL('../../../docs/CONFIG.md', import.meta.url));

test('docs/CONFIG.md says what the schema says (vitest -u renders it anew)', async () => {
  await expect(configManual()).toMatchFileSnapshot(path);
});

test('every example in docs/CONFIG.md is read without a problem, and every key has a place', () => {
  const text = readFileSync(path, 'utf8');
  for (const [, example] of text.matchAll(/```json\n(.*?)```/gs))
    expect(readConfig(JSON.parse(example ?? ''), '/profile').problems).toEqual([]);
  for (const key of Object.keys(configSchema.shape)) expect(text).toContain(`## \`${key}\``);
});
