/** Why tools can't read a folder. */
export type FolderFlaw = 'missing' | 'not_folder' | 'no_permission' | 'unreadable' | 'no_answer' | 'in_profile';

/** Completes "The folder /srv/reports …". */
const FLAWS: Readonly<Record<FolderFlaw, string>> = {
  missing: 'does not exist',
  not_folder: 'is not a folder',
  no_permission: 'cannot be read: permission denied',
  unreadable: 'cannot be read',
  no_answer: 'does not answer',
  in_profile: 'is inside the profile folder, which tools may not access',
};

/** `what` begins the sentence: `The workspace /srv/project`, `This folder`. */
export function folderFlawText(what: string, flaw: FolderFlaw): string {
  return `${what} ${FLAWS[flaw]}.`;
}

/** The flaw, with what a user at the window can do about it if the folder is their workspace. */
export function workspaceFlawText(what: string, flaw: FolderFlaw): string {
  return `${folderFlawText(what, flaw)} ${remedyFor(flaw)}`;
}

function remedyFor(flaw: FolderFlaw): string {
  switch (flaw) {
    case 'missing':
    case 'unreadable':
    case 'no_answer':
      return 'Connect the drive or network it’s on, or choose another folder.';
    case 'no_permission':
      return 'Change its permissions, or choose another folder.';
    case 'not_folder':
    case 'in_profile':
      return 'Choose another folder.';
  }
}
