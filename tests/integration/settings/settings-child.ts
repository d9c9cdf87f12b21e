import { SettingsError } from '../../../src-main/settings/problems.ts';
import { ensureProfileDirectory, ProfileError } from '../../../src-main/settings/profile.ts';
import { openSettings } from '../../../src-main/settings/settings.ts';

/** A process of its own on a profile: `settings-child.ts PROFILE add NAME COUNT | big | open`. Reports in one line. */
const [profileDirectory = '', task = '', name = '', count = '1'] = process.argv.slice(2);

async function run(): Promise<string> {
  if (task === 'open') return ensureProfileDirectory(profileDirectory);
  const settings = openSettings({ profileDirectory, onProblem: () => undefined });
  if (task === 'big')
    await settings.update(
      (draft) => void draft.tools.disabled.push('x'.repeat(500), ...Array.from({ length: 500 }, (_, i) => `tool-${i}`)),
    );
  for (let number = 0; task === 'add' && number < Number(count); number++)
    await settings.update((draft) => void draft.tools.disabled.push(`${name}-${number}`));
  return 'done';
}

try {
  process.stdout.write(await run());
} catch (error) {
  if (!(error instanceof SettingsError || error instanceof ProfileError)) throw error;
  process.stdout.write(error.message);
}
