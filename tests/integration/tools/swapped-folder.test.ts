import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { PinnedDirectory } from '../../../src-main/base/pinned-directory.ts';
import { type ProcessRequest, ProcessRunner } from '../../../src-main/processes/process-runner.ts';
import { walk } from '../../../src-main/tools/files/walker.ts';
import { allowAll } from '../../fixtures/allow-all.ts';
import { needLinux } from '../../fixtures/machine-needs.ts';
import { processPorts } from '../../fixtures/process-ports.ts';
import { ToolHarness } from '../../fixtures/tool-harness.ts';

let tools: ToolHarness;
let folder: string;
let swaps: number;

beforeEach(() => {
  tools = new ToolHarness({ consent: allowAll });
  swaps = 0;
  folder = join(tools.workspace, 'notes');
  tools.put('notes/inside.txt', 'word\n');
  tools.put('notes/below/inside.txt', 'word\n');
  mkdirSync(join(tools.base, 'outside/below'), { recursive: true });
  for (const name of ['outside.txt', 'inside.txt', 'below/outside.txt'])
    writeFileSync(join(tools.base, 'outside', name), 'word of others\n');
});
afterEach(() => tools.dispose());

/** Does what someone does who wants Steward to look where it may not. */
function swapOnce(): void {
  if (swaps++ > 0) return;
  renameSync(folder, `${folder}.aside`);
  symlinkSync(join(tools.base, 'outside'), folder);
}

describe('a folder that is swapped for a link after it was checked', () => {
  beforeEach((context) =>
    needLinux(context, 'elsewhere a directory cannot be held on to: its path is looked at right before'),
  );

  test('is still the one that is listed', async () => {
    const names = await PinnedDirectory.during(folder, async (path) => {
      swapOnce();
      return readdir(path);
    });
    expect(names.sort()).toEqual(['below', 'inside.txt']);
  });

  test('is still the one that is walked through', async () => {
    const found: string[] = [];
    await walk({
      directory: folder,
      recursive: true,
      signal: new AbortController().signal,
      enters: () => {
        swapOnce();
        return true;
      },
      onEntry: ({ path }) => found.push(path),
    });
    expect(swaps).toBe(1);
    expect(found).toEqual(['below/inside.txt', 'inside.txt']);
  });

  test.each([
    ['grep', { pattern: 'word', path: 'notes', output_mode: 'content' }],
    ['grep', { pattern: 'word', path: 'notes/inside.txt', output_mode: 'content' }],
    ['search_code', { query: 'word', directory: 'notes' }],
  ])('gives %s nothing of what the link leads to', async (name, input) => {
    class Swapping extends ProcessRunner {
      override run(request: ProcessRequest) {
        swapOnce();
        return super.run(request);
      }
    }
    const { text } = await tools.call(name, input, { processes: new Swapping(processPorts) });
    expect(swaps).toBeGreaterThan(0);
    expect(text).not.toContain('others');
  });
});
