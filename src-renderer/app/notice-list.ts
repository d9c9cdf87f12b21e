import { workspaceFlawText } from '../../src-preload/contract/folder-flaw.ts';
import type { Problem, SettingsSection, SettingsView } from '../../src-preload/contract/settings.ts';
import { sectionOfKey, sectionOfProblem } from '../settings/section-of.ts';

export type WindowNotice =
  | { readonly kind: 'workspace' | 'problem'; readonly message: string }
  | { readonly kind: 'unconfirmed'; readonly keys: readonly string[] }
  | { readonly kind: 'unreviewed'; readonly servers: readonly string[] }
  | { readonly kind: 'told'; readonly problem: Problem }
  | { readonly kind: 'sign-in'; readonly servers: readonly string[] }
  | { readonly kind: 'update' | 'outdated' | 'keychain' };

interface Facts {
  readonly view: SettingsView | null;
  /** Told by main, and not dismissed. */
  readonly told: readonly Problem[];
  readonly hasUpdate: boolean;
  readonly isOutdated: boolean;
  /** The section of Settings in view. */
  readonly section: SettingsSection | null;
}

/** Already covered by the notice about the keychain. */
const ABOUT_KEYCHAIN = ['keychain_absent', 'keychain_unavailable', 'kept_in_memory'];
/** Covered by other notices, while they apply. */
const HAS_NOTICE = ['not_confirmed', 'mcp_definitions', 'mcp_sign_in'];
/** Problems of config.json are told once, and are among those of the view as long as they last. */
const OF_CONFIG = 'config_';

/** The notices above the page, the most important first: what is wrong, what waits for the person, what is good to know. */
export function windowNotices({ view, told, hasUpdate, isOutdated, section }: Facts): readonly WindowNotice[] {
  const isInMemory = view?.keychain === 'memory';
  // A section shows its own problems, except that of MCP servers, which shows them on their pages.
  const isHere = (of: SettingsSection | null) =>
    section !== null && (of === null || (of === section && of !== 'servers'));
  const problems = (view?.problems ?? []).filter((problem) => !isHere(sectionOfProblem(problem)));
  const keys = (view?.unconfirmed ?? []).filter(({ key }) => !isHere(sectionOfKey(key))).map(({ key }) => key);
  const servers = view?.unreviewedServers ?? [];
  const toSignIn = view?.serversToSignIn ?? [];
  const flaw = section === 'folders' ? null : (view?.workspaceFlaw ?? null);
  return [
    ...(view === null || flaw === null
      ? []
      : [{ kind: 'workspace' as const, message: workspaceFlawText(`The workspace ${view.workspace}`, flaw) }]),
    ...[...new Set(problems.map(({ message }) => message))].map((message) => ({ kind: 'problem' as const, message })),
    ...when(keys.length > 0, { kind: 'unconfirmed', keys }),
    ...when(servers.length > 0, { kind: 'unreviewed', servers }),
    ...told
      .filter(({ code }) => !HAS_NOTICE.includes(code) && !code.startsWith(OF_CONFIG))
      .filter(({ code }) => !isInMemory || !ABOUT_KEYCHAIN.includes(code))
      .map((problem) => ({ kind: 'told' as const, problem })),
    ...when(toSignIn.length > 0, { kind: 'sign-in', servers: toSignIn }),
    ...when(hasUpdate, { kind: 'update' }),
    ...when(isOutdated, { kind: 'outdated' }),
    ...when(isInMemory && section !== 'models' && section !== 'accounts', { kind: 'keychain' }),
  ];
}

export function noticeKey(notice: WindowNotice): string {
  switch (notice.kind) {
    case 'workspace':
    case 'problem':
      return `${notice.kind} ${notice.message}`;
    case 'told':
      return `told ${notice.problem.code}`;
    case 'sign-in':
      return `sign-in ${notice.servers.join()}`;
    default:
      return notice.kind;
  }
}

function when(applies: boolean, notice: WindowNotice): readonly WindowNotice[] {
  return applies ? [notice] : [];
}
