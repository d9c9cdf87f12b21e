import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { AppRig, type RunningApp } from '../../fixtures/electron-app.ts';
import { labels } from '../../fixtures/window-labels.ts';
import { User } from '../../fixtures/window-user.ts';

async function shootInBothThemes(running: RunningApp, name: string): Promise<void> {
  for (const theme of ['light', 'dark'] as const) {
    await running.app.evaluate(({ nativeTheme }, source) => {
      nativeTheme.themeSource = source;
    }, theme);
    await running.shoot(`${name}-${theme}`);
  }
}

const skill = (name: string, description: string) => `---\nname: ${name}\ndescription: ${description}\n---\nText.\n`;

test('skills from files are listed with what is wrong with them, and those of the folder wait for a user', async (context) => {
  const rig = new AppRig(context);
  const write = (folder: string, name: string, text: string) => {
    const file = join(folder, name, 'SKILL.md');
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  };
  const ofProfile = join(rig.profile, 'skills');
  const ofFolder = join(rig.workspace, '.steward', 'skills');
  write(ofProfile, 'release', skill('Release notes', 'How release notes are written here.'));
  write(ofProfile, 'yaml', '---\nname: [a\ndescription: x: y: z\n---\nText');
  write(ofProfile, 'large', `${skill('Large', 'Too large.')}${'x'.repeat(60_000)}`);
  mkdirSync(join(ofProfile, 'linked'));
  symlinkSync('/etc/passwd', join(ofProfile, 'linked', 'SKILL.md'));
  // A folder that can't be used has the name of another folder's skill, and a skill has the name of one of the profile.
  write(ofFolder, 'a', skill('invoices', 'How invoices are written.'));
  write(ofFolder, 'invoices', 'no front matter');
  write(ofFolder, 'release', skill('Release notes', 'Other release notes.'));
  const running = await rig.launch();
  const user = new User(running);
  const panel = await user.opensSettings(labels.settings.tools);
  await panel.getByText('How invoices are written.').waitFor();
  expect(await panel.getByText('invoices', { exact: true }).count()).toBe(2);
  expect(await panel.getByRole('switch', { name: 'Release notes' }).count()).toBe(1);
  await panel
    .getByText('Other release notes.')
    .or(panel.getByText('your profile has a skill'))
    .scrollIntoViewIfNeeded();
  await shootInBothThemes(running, 'skills-waiting');
  expect(await panel.getByText('Not reviewed').count()).toBe(1);
  const review = panel.getByRole('button', { name: 'Review…' });
  await review.focus();
  await review.press('Enter');
  await user.reads();
  await shootInBothThemes(running, 'skills-question');
  await user.answers(labels.consent.confirm);
  await panel.getByRole('switch', { name: 'invoices' }).waitFor();
  await shootInBothThemes(running, 'skills-confirmed');
  // The button that was pressed is gone.
  const focused = () => running.chat.evaluate(() => document.activeElement?.textContent);
  await expect.poll(focused, { timeout: 10_000 }).toBe('Skills');

  // Added with another program while Settings are open.
  write(ofProfile, 'letters', skill('Letters', 'How letters are written.'));
  await running.chat.evaluate(() => window.dispatchEvent(new Event('focus')));
  await panel.getByRole('switch', { name: 'Letters' }).waitFor();
  await running.close();
});
