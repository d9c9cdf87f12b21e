import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { AppRig } from '../../fixtures/electron-app.ts';
import { User } from '../../fixtures/window-user.ts';

test('a conversation is saved among the documents at first, and then where the last one was', async (context) => {
  const rig = new AppRig(context);
  const running = await rig.launch();
  const saved = rig.workspace;
  await running.app.evaluate(({ dialog }, folder) => {
    const offered: string[] = [];
    Object.assign(globalThis, { offered });
    Object.assign(dialog, {
      showSaveDialog: async (_window: unknown, { defaultPath }: { defaultPath: string }) => {
        offered.push(defaultPath);
        return { canceled: false, filePath: `${folder}/${offered.length}.md` };
      },
    });
  }, saved);
  const user = new User(running);
  await user.ask('what day is it');
  await running.chat.getByRole('button', { name: 'Copy the answer' }).waitFor();
  for (const file of ['1.md', '2.md']) {
    await user.ask('/export');
    await expect.poll(() => existsSync(join(saved, file))).toBe(true);
  }
  const offered = await running.app.evaluate(() => (globalThis as unknown as { offered: string[] }).offered);
  const usual = await running.app.evaluate(({ app }) =>
    (['documents', 'downloads', 'home'] as const).map((name) => app.getPath(name)),
  );
  expect(offered.map((path) => basename(path))).toEqual(['what day is it.md', 'what day is it.md']);
  expect(usual).toContain(dirname(offered[0] ?? ''));
  expect(dirname(offered[1] ?? '')).toBe(saved);
});
