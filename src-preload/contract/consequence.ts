import type { AccountName } from './account-reason.ts';

/**
 * A consequence of allowing a call, as a code with parameters; the sentence is made here. To add one, add a member, say
 * whether it is grave, and write its text below. `src-main/policy/consequences.ts` detects them.
 */
export type Consequence =
  /** The command deletes everything in the workspace, in a home folder, or below the root. */
  | { readonly code: 'deletes_everything'; readonly what: 'workspace' | 'home' | 'system' }
  | { readonly code: 'deletes_outside_workspace' }
  /**
   * The command deletes something that can't be known before it runs: a variable, a pattern that leads elsewhere, a
   * list read from a file.
   */
  | { readonly code: 'deletes_unknown_files' }
  | { readonly code: 'runs_script_from_internet' }
  | { readonly code: 'runs_as_other_user' }
  | { readonly code: 'writes_disks' }
  | { readonly code: 'changes_system' }
  | { readonly code: 'changes_outside_workspace' }
  /** `external` is how many of them are outside the user's organisation. */
  | { readonly code: 'reaches_people'; readonly count: number; readonly external?: number }
  | { readonly code: 'sends_files' }
  | { readonly code: 'deletes_files' }
  | { readonly code: 'discards_changes' }
  | { readonly code: 'rewrites_remote_history' }
  | { readonly code: 'sends_commits' }
  | { readonly code: 'publishes' }
  | { readonly code: 'sends_data'; readonly hosts: readonly string[] }
  /** What the assistant wrote goes there together with private text, or while a secret is in the conversation. */
  | { readonly code: 'may_leak_private_text'; readonly hosts: readonly string[] }
  | { readonly code: 'shows_secret'; readonly of: 'file' | 'variable' }
  /** `most` is in dollars, and null if the price is not known. */
  | { readonly code: 'spends'; readonly most: number | null }
  /** A program that is not Steward's, outside any sandbox. */
  | { readonly code: 'runs_program' }
  | { readonly code: 'lets_programs_in' }
  | { readonly code: 'opens_folder' }
  | { readonly code: 'may_send_private_text'; readonly hosts: readonly string[] }
  /** A command that runs in this folder gets a connection. */
  | { readonly code: 'can_carry_off'; readonly hosts: readonly string[]; readonly folder: string }
  | { readonly code: 'ends_processes' }
  | { readonly code: 'runs_install_scripts' }
  /** The change is in an account, where the user can see and undo it. */
  | { readonly code: 'changes_account'; readonly account: AccountName; readonly isShared: boolean }
  | { readonly code: 'changes_files' }
  | { readonly code: 'fetches' }
  /** Whatever it does there. `words`: as the command has them; `isWhole`: these are all. */
  | { readonly code: 'names_places_outside'; readonly words: readonly string[]; readonly isWhole: boolean }
  /** The file opens in whatever program the system uses for it. */
  | { readonly code: 'opens_in_program' }
  | { readonly code: 'unknown_effects'; readonly of: 'command' | 'tool' }
  | { readonly code: 'undo_for'; readonly seconds: number }
  | { readonly code: 'cannot_be_undone' };

type Code = Consequence['code'];
type ConsequenceOf<C extends Code> = Extract<Consequence, { code: C }>;

/** These are the grave ones, in the order in which they are shown. */
const GRAVE = [
  'deletes_everything',
  'deletes_outside_workspace',
  'deletes_unknown_files',
  'runs_script_from_internet',
  'runs_as_other_user',
  'writes_disks',
  'changes_system',
  'reaches_people',
  'rewrites_remote_history',
  'sends_files',
  'changes_outside_workspace',
  'deletes_files',
  'discards_changes',
  'publishes',
  'sends_data',
  'may_leak_private_text',
  'shows_secret',
  'spends',
  'runs_program',
  'lets_programs_in',
  'opens_folder',
] as const satisfies readonly Code[];

const CALM = [
  'names_places_outside',
  'sends_commits',
  'may_send_private_text',
  'can_carry_off',
  'ends_processes',
  'runs_install_scripts',
  'fetches',
  'changes_files',
  'changes_account',
  'opens_in_program',
  'unknown_effects',
  'undo_for',
  'cannot_be_undone',
] as const satisfies readonly Code[];

const ORDER: readonly Code[] = [...GRAVE, ...CALM];

/**
 * Whether the consequence is too serious to agree to in passing, because it deletes, leaks, spends or widens. The card
 * then looks unlike others, and no single key allows it.
 */
export function isGrave({ code }: Consequence): boolean {
  return GRAVE.some((each) => each === code);
}

/** Compares two consequences so that graver ones come first. */
export function byGravity(a: Consequence, b: Consequence): number {
  return ORDER.indexOf(a.code) - ORDER.indexOf(b.code);
}

const DELETES_EVERYTHING = {
  workspace: 'Deletes everything in the workspace.',
  home: 'Deletes your whole home folder.',
  system: 'Deletes everything it can reach on this computer.',
} as const;

const TEXTS: { readonly [C in Code]: string | ((consequence: ConsequenceOf<C>) => string) } = {
  deletes_everything: ({ what }) => DELETES_EVERYTHING[what],
  deletes_outside_workspace: 'Deletes files outside the workspace.',
  deletes_unknown_files: 'Deletes files, and Steward can’t tell which.',
  runs_script_from_internet: 'Runs a script from the internet.',
  runs_as_other_user: 'Runs with the rights of another user, such as the administrator.',
  writes_disks: 'Writes to disks directly, or formats them.',
  changes_system: 'Changes the system itself.',
  changes_outside_workspace: 'Changes files outside the workspace.',
  reaches_people: ({ count, external = 0 }) =>
    `Reaches ${people(count)}${external === 0 ? '' : outside(count, external)}.`,
  sends_files: 'Can send your files to another computer.',
  deletes_files: 'Deletes files in the workspace.',
  discards_changes: 'Discards uncommitted changes.',
  rewrites_remote_history: 'Replaces or deletes commits in a remote repository.',
  sends_commits: 'Sends commits to a remote repository.',
  publishes: 'Publishes something.',
  sends_data: ({ hosts }) => `Sends data to ${hosts.join(', ')}.`,
  may_leak_private_text: ({ hosts }) => `Could leak private text to ${hosts.join(', ')}.`,
  shows_secret: ({ of }) =>
    of === 'file'
      ? 'Shows the model a file that usually contains secrets.'
      : 'Shows the model a variable that may contain a secret.',
  spends: ({ most }) =>
    most === null
      ? 'Uses your model. Steward doesn’t know what that costs.'
      : `Costs up to about $${most.toFixed(most < 0.01 ? 4 : 2)}.`,
  runs_program: 'Runs a program with your rights: it can read your files and use the network.',
  lets_programs_in: 'Lets other programs add tools and text to your conversations.',
  opens_folder: 'Lets the assistant read everything in this folder.',
  may_send_private_text: ({ hosts }) => `Could carry private text to ${hosts.join(', ')}.`,
  can_carry_off: ({ hosts, folder }) => `Could send anything in “${folder}” to ${hosts.join(', ')}.`,
  ends_processes: 'Ends running programs.',
  runs_install_scripts: 'Installs packages, which may run their own scripts.',
  fetches: 'Downloads from the internet.',
  changes_account: ({ account, isShared }) =>
    account === 'gmail'
      ? 'Changes your mailbox.'
      : `Changes ${isShared ? 'a calendar that other people may see' : 'your calendar'}.`,
  changes_files: 'Creates or changes files.',
  opens_in_program: 'Opens in another program. If it is a program or a script itself, it may run.',
  names_places_outside: ({ words, isWhole }) => `Names places outside the workspace: ${placesText(words, isWhole)}.`,
  unknown_effects: ({ of }) =>
    of === 'command'
      ? 'May change files, run programs and reach the network.'
      : 'Steward can’t tell what this tool changes.',
  undo_for: ({ seconds }) => `You can undo it for ${duration(seconds)}.`,
  cannot_be_undone: 'This can’t be undone.',
};

/** The whole line is on the card too. */
const MAX_PLACES = 30;
const MAX_PLACE_LENGTH = 200;

function placesText(words: readonly string[], isWhole: boolean): string {
  const shown = words.slice(0, MAX_PLACES).map((word) => {
    const text = word.length > MAX_PLACE_LENGTH ? `${word.slice(0, MAX_PLACE_LENGTH)}…` : word;
    return /[\s,]/.test(text) ? JSON.stringify(text) : text;
  });
  const hidden = words.length - shown.length;
  const rest = hidden > 0 ? [`${hidden} more`] : [];
  return [...shown, ...rest, ...(isWhole ? [] : ['possibly others'])].join(', ');
}

function duration(seconds: number): string {
  if (seconds < 120) return seconds === 1 ? '1 second' : `${seconds} seconds`;
  return `${Math.floor(seconds / 60)} minutes`;
}

function people(count: number): string {
  return count === 1 ? '1 person' : `${count} people`;
}

function outside(count: number, external: number): string {
  const who = external < count ? `${external} of them` : count === 1 ? '' : 'all of them';
  return `, ${who === '' ? '' : `${who} `}outside your organisation`;
}

/** May contain a host name or a path from outside. */
export function consequenceText(consequence: Consequence): string {
  const text = TEXTS[consequence.code] as string | ((consequence: Consequence) => string);
  return typeof text === 'string' ? text : text(consequence);
}
