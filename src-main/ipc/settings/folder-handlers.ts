import { existsSync, realpathSync, statSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import type { settings } from '../../../src-preload/contract/settings.ts';
import { isInside } from '../../base/paths.ts';
import { realPathOfSync } from '../../base/real-path.ts';
import { isTooWide } from '../../policy/roots.ts';
import { folderGrant, workspaceGrant } from '../../settings/permission-grants.ts';
import { needGesture } from '../gesture.ts';
import type { Circumstances, Handlers } from '../handlers.ts';
import { IpcError } from '../ipc-error.ts';
import { declined } from '../one-question.ts';
import type { SettingsChange } from './settings-change.ts';
import { settingsView } from './settings-view.ts';

/** The workspace, and the folders that tools may use beside it. */
export function folderHandlers(
  change: SettingsChange,
): Pick<Handlers<typeof settings>, 'chooseWorkspace' | 'addFolder' | 'removeFolder'> {
  const { services, desktop, signal, question, changed } = change;
  const view = () => settingsView(services);
  const chooseFolder = (title: string, circumstances: Circumstances) => {
    needGesture(desktop, circumstances);
    return desktop.chooseFolder(title, services.workspace);
  };
  return {
    chooseWorkspace: (_none, circumstances) =>
      question.run(async () => {
        const chosen = await chooseFolder('Choose the folder to work in', circumstances);
        if (chosen === null) return view();
        const folder = realFolder(chosen, services.profileDirectory);
        const previous = services.workspace;
        const item = { ...workspaceGrant(folder), previous };
        const confirmed = await services.grant(item, () => ({ workingDirectory: folder }), signal);
        if (!confirmed) throw declined(`Steward keeps working in ${previous}.`);
        return changed();
      }),

    addFolder: ({ path }, circumstances) =>
      question.run(async () => {
        const chosen = path ?? (await chooseFolder('Choose a folder to grant', circumstances));
        if (chosen === null) return view();
        const folder = path === undefined ? realFolder(chosen, services.profileDirectory) : offeredFolder(path, change);
        const save = ({ folders }: { readonly folders: readonly string[] }) => ({
          folders: [...folders.filter((each) => each !== folder), folder],
        });
        if (!(await services.grant(folderGrant(folder), save, signal))) throw declined('The folder is not granted.');
        return changed();
      }),

    removeFolder: async ({ path }) => {
      await services.settings.update(({ folders }) => ({ folders: folders.filter((folder) => folder !== path) }));
      return changed();
    },
  };
}

function unusable(path: string, why: string): IpcError {
  return new IpcError('unusable_folder', `The folder ${path} cannot be used: ${why}.`);
}

/**
 * A folder that a card offered; a tool may create it later. Whole home folders and disks are granted only to a user who
 * chooses them. Throws `IpcError` `unusable_folder`.
 */
function offeredFolder(path: string, { services, desktop }: SettingsChange): string {
  const isToBeMade = isAbsolute(path) && !path.includes('\0') && !existsSync(path);
  if (!isToBeMade) return notTooWide(realFolder(path, services.profileDirectory), desktop);
  const folder = realPathOfSync(path).path;
  if (isInside(realpathSync(services.profileDirectory), folder)) throw unusable(path, INSIDE_PROFILE);
  return notTooWide(folder, desktop);
}

function notTooWide(folder: string, { facts }: SettingsChange['desktop']): string {
  if (!isTooWide(folder, realPathOfSync(facts.homeFolder).path)) return folder;
  throw unusable(folder, 'it contains nearly all your files. To grant it anyway, choose it in Settings, under Folders');
}

const INSIDE_PROFILE = "it is inside Steward's own folder, which tools may not access";

/**
 * Asked about, stored and used as a real path, so that changing a link later has no effect. Throws `IpcError`
 * `unusable_folder`.
 */
function realFolder(path: string, profileDirectory: string): string {
  if (!isAbsolute(path) || path.includes('\0')) throw unusable(path, 'it is not an absolute path');
  if (!(statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false))
    throw unusable(path, 'it does not exist or is not a folder');
  const folder = realpathSync(path);
  if (isInside(realpathSync(profileDirectory), folder)) throw unusable(path, INSIDE_PROFILE);
  return folder;
}
