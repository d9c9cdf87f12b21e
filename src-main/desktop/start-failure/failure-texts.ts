import { errorMessage } from '../../base/errors.ts';
import { ProfileError } from '../../settings/profile.ts';
import { NewerProfileError, OlderProfileError, StorageError } from '../../storage/database/storage-error.ts';
import { NoSandboxError } from '../accepted-switches.ts';

/** What the user can do in the window that says why Steward did not start. */
export type FailureAction = 'retry' | 'folder' | 'other' | 'quit';

export interface FailureText {
  readonly title: string;
  readonly explanation: string;
  /** Each is a way out. */
  readonly advice: readonly string[];
  readonly facts: readonly { readonly name: string; readonly value: string }[];
  /** The first is what most people want. */
  readonly actions: readonly FailureAction[];
}

interface Start {
  /** Absolute: the folder that was to be opened. */
  readonly profile: string;
  /** The version of this program. */
  readonly version: string;
}

type Words = Pick<FailureText, 'title' | 'explanation' | 'advice' | 'actions'>;

const OTHER_PROFILE = 'Or open another profile. It has its own conversations and settings.';

const NOT_WRITABLE: Words = {
  title: 'Steward can’t write to its profile folder',
  explanation: 'It keeps conversations and settings there, so it can’t start without writing to it.',
  advice: [
    'Make sure that the folder belongs to you and that its disk is not read-only. Then try again.',
    OTHER_PROFILE,
  ],
  actions: ['retry', 'folder', 'other', 'quit'],
};

const NOT_A_FOLDER: Words = {
  title: 'The profile is not a folder',
  explanation: 'Steward keeps conversations and settings in a folder, but there is a file in its place or above it.',
  advice: ['Move or rename that file, then try again.', OTHER_PROFILE],
  actions: ['retry', 'other', 'quit'],
};

const DISK_FULL: Words = {
  title: 'There is no space left on the disk',
  explanation: 'Steward needs some to open your conversations. Everything that was saved before is kept.',
  advice: ['Free some space, for example by emptying the trash. Then try again.'],
  actions: ['retry', 'folder', 'quit'],
};

const IN_USE: Words = {
  title: 'Another program uses this profile',
  explanation: 'It has locked the database with your conversations. Nothing was changed.',
  advice: [
    'Close the other program: another Steward, a backup, or a tool that has steward.db open. Then try again.',
    OTHER_PROFILE,
  ],
  actions: ['retry', 'folder', 'other', 'quit'],
};

const NOT_UPGRADED: Words = {
  title: 'The profile could not be upgraded',
  explanation:
    'This version stores some things differently, and converting yours failed. Nothing was changed: the version that you used before can still open the profile.',
  advice: ['Try again. If that does not help, go back to the version that you used before.', OTHER_PROFILE],
  actions: ['retry', 'folder', 'other', 'quit'],
};

const UNREADABLE: Words = {
  title: 'The database can’t be read',
  explanation: 'Your conversations and settings could not be opened. Nothing was deleted.',
  advice: [
    'Check the disk, then try again. Verified backups of the database are in the folder “backups” of the profile.',
    OTHER_PROFILE,
  ],
  actions: ['retry', 'folder', 'other', 'quit'],
};

const NO_SANDBOX: Words = {
  title: 'Steward doesn’t start without the sandbox',
  explanation: 'Chromium’s sandbox keeps pages away from your files, and it is switched off.',
  advice: ['Start Steward without the switch or the variable that does so.'],
  actions: ['quit'],
};

const NO_SANDBOX_IN_APPIMAGE: Words = {
  ...NO_SANDBOX,
  explanation:
    'Chromium’s sandbox keeps pages away from your files, and this system doesn’t allow an AppImage to use it.',
  advice: [
    'Install the .deb or .rpm package instead.',
    'Or allow it, as docs/INSTALL.md in Steward’s repository says.',
  ],
};

const UNKNOWN: Words = {
  title: 'Steward can’t start',
  explanation: 'Something prevents it. What exactly is written below.',
  advice: ['Try again, or open another profile.'],
  actions: ['retry', 'folder', 'other', 'quit'],
};

/** Codes that are not here are not expected at a start. */
const BY_CODE: Readonly<Partial<Record<StorageError['code'] | ProfileError['code'], Words>>> = {
  profile_not_a_folder: NOT_A_FOLDER,
  not_a_folder: NOT_A_FOLDER,
  profile_not_writable: NOT_WRITABLE,
  not_writable: NOT_WRITABLE,
  not_creatable: NOT_WRITABLE,
  disk_full: DISK_FULL,
  database_busy: IN_USE,
  database_in_use: IN_USE,
  migration_failed: NOT_UPGRADED,
  copy_failed: NOT_UPGRADED,
  database_damaged: UNREADABLE,
  database_error: UNREADABLE,
  io_error: UNREADABLE,
};

/** Why Steward did not start, for people. */
export function failureText(error: unknown, { profile, version }: Start): FailureText {
  const facts = [
    { name: 'Profile', value: profile },
    { name: 'This version', value: version },
  ];
  if (error instanceof NewerProfileError) {
    const { found, known } = error.versions;
    return {
      title: 'This profile needs a newer version of Steward',
      explanation:
        'It was last used with a newer version, and this one can’t read what that version wrote. Nothing in it was changed.',
      advice: ['Install the newest version of Steward, and open the profile with that.', OTHER_PROFILE],
      facts: [...facts, { name: 'Database', value: `version ${found}; this Steward reads up to ${known}` }],
      actions: ['quit', 'folder', 'other'],
    };
  }
  if (error instanceof OlderProfileError) {
    const { found, known } = error.versions;
    return {
      title: 'This profile is from an early version of Steward',
      explanation:
        'It was last used before the first release, and this version can’t read it. Nothing in it was changed.',
      advice: [
        'To keep what is in it, open it once with a Steward from the end of November 2026, which upgrades it. Then this one can open it.',
        OTHER_PROFILE,
      ],
      facts: [...facts, { name: 'Database', value: `version ${found}; this Steward reads ${known} and newer` }],
      actions: ['quit', 'folder', 'other'],
    };
  }
  const why = { name: 'Reason', value: errorMessage(error) };
  if (error instanceof NoSandboxError)
    return { ...(error.isAppImage ? NO_SANDBOX_IN_APPIMAGE : NO_SANDBOX), facts: [...facts, why] };
  const isKnown = error instanceof StorageError || error instanceof ProfileError;
  const words = (isKnown ? BY_CODE[error.code] : undefined) ?? UNKNOWN;
  return { ...words, facts: [...facts, why] };
}
