import { workspaceFlawText } from '../../src-preload/contract/folder-flaw.ts';
import type { KeychainTrouble, Problem, SettingsSection, SettingsView } from '../../src-preload/contract/settings.ts';
import { sectionOfKey, sectionOfProblem } from '../settings/section-of.ts';

export type WindowNotice =
  | { readonly kind: 'workspace' | 'problem'; readonly message: string }
  | { readonly kind: 'unconfirmed'; readonly keys: readonly string[] }
  | { readonly kind: 'unreviewed'; readonly servers: readonly string[] }
  | { readonly kind: 'skills'; readonly count: number }
  | { readonly kind: 'told'; readonly problem: Problem }
  | { readonly kind: 'sign-in'; readonly servers: readonly string[] }
  | { readonly kind: 'keychain'; readonly trouble: KeychainTrouble | null }
  | { readonly kind: 'update' | 'outdated' };

interface Facts {
  readonly view: SettingsView | null;
  /** Told by main, and not dismissed. */
  readonly told: readonly Problem[];
  readonly hasUpdate: boolean;
  readonly isOutdated: boolean;
  /** The section of Settings in view. */
  readonly section: SettingsSection | null;
}

/** The notice about the keychain already covers these. */
const ABOUT_KEYCHAIN = ['keychain_absent', 'keychain_unavailable', 'kept_in_memory'];
/** Other notices cover these while they apply. */
const HAS_NOTICE = ['not_confirmed', 'mcp_definitions', 'mcp_sign_in'];
/** Problems of config.json are told once, and are among those of the view as long as they last. */
const OF_CONFIG = 'config_';
/** Told once, and conversations may be lost: nothing may push it out of sight. */
const OF_DATABASE = 'database_';

/**
 * The notices above the page, the most important first: what is wrong, what waits for the user, what is good to know.
 */
export function windowNotices({ view, told, hasUpdate, isOutdated, section }: Facts): readonly WindowNotice[] {
  const isInMemory = view?.keychain === 'memory';
  // A section shows its own problems, except that of MCP servers, which shows them on their pages.
  const isHere = (of: SettingsSection | null) =>
    section !== null && (of === null || (of === section && of !== 'servers'));
  const problems = (view?.problems ?? []).filter((problem) => !isHere(sectionOfProblem(problem)));
  const keys = (view?.unconfirmed ?? []).filter(({ key }) => !isHere(sectionOfKey(key))).map(({ key }) => key);
  const servers = view?.unreviewedServers ?? [];
  const skills = (view?.skills ?? []).filter(({ state }) => state === 'unconfirmed').length;
  const toSignIn = view?.serversToSignIn ?? [];
  const flaw = section === 'folders' ? null : (view?.workspaceFlaw ?? null);
  const others = told
    .filter(({ code }) => !HAS_NOTICE.includes(code) && !code.startsWith(OF_CONFIG))
    .filter(({ code }) => !isInMemory || !ABOUT_KEYCHAIN.includes(code))
    .map((problem) => ({ kind: 'told' as const, problem }));
  const isOfDatabase = ({ problem }: { readonly problem: Problem }) => problem.code.startsWith(OF_DATABASE);
  return [
    ...others.filter(isOfDatabase),
    ...(view === null || flaw === null
      ? []
      : [{ kind: 'workspace' as const, message: workspaceFlawText(`The workspace ${view.workspace}`, flaw) }]),
    ...[...new Set(problems.map(({ message }) => message))].map((message) => ({ kind: 'problem' as const, message })),
    ...others.filter((notice) => !isOfDatabase(notice)),
    ...when(keys.length > 0, { kind: 'unconfirmed', keys }),
    ...when(servers.length > 0, { kind: 'unreviewed', servers }),
    ...when(skills > 0 && section !== 'tools', { kind: 'skills', count: skills }),
    ...when(toSignIn.length > 0, { kind: 'sign-in', servers: toSignIn }),
    ...when(hasUpdate, { kind: 'update' }),
    ...when(isOutdated, { kind: 'outdated' }),
    ...when(isInMemory && section !== 'models' && section !== 'accounts', {
      kind: 'keychain',
      trouble: view?.keychainTrouble ?? null,
    }),
  ];
}

/**
 * The few that are in sight at once. That this Electron gets no security fixes stays in sight whatever else there is.
 */
export function firstNotices(notices: readonly WindowNotice[], most: number): readonly WindowNotice[] {
  const first = notices.slice(0, most);
  const outdated = notices.slice(most).filter(({ kind }) => kind === 'outdated');
  return [...first.slice(0, Math.max(most - outdated.length, 1)), ...outdated];
}

export function noticeKey(notice: WindowNotice): string {
  switch (notice.kind) {
    case 'workspace':
    case 'problem':
      return `${notice.kind} ${notice.message}`;
    case 'told':
      return `told ${notice.problem.code}`;
    case 'skills':
      return `skills ${notice.count}`;
    case 'keychain':
      return `keychain ${notice.trouble ?? ''}`;
    case 'sign-in':
      return `sign-in ${notice.servers.join()}`;
    default:
      return notice.kind;
  }
}

function when(applies: boolean, notice: WindowNotice): readonly WindowNotice[] {
  return applies ? [notice] : [];
}
