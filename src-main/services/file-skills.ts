import { realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import type { Mark } from '../../src-preload/contract/events.ts';
import type { ListedSkill } from '../../src-preload/contract/skills.ts';
import { Listeners } from '../base/listeners.ts';
import { SKILLS_NAME } from '../client-tools/client-names.ts';
import type { Clients, ConversationClients } from '../client-tools/conversation-clients.ts';
import type { ClientHost, ToolGroup } from '../client-tools/records.ts';
import { type FileSkill, type FoundSkills, SkillFolder } from '../client-tools/skill-files.ts';
import type { PermissionGrant } from '../policy/permission-grant.ts';
import { skillsKey } from '../policy/permission-grants.ts';
import { foldCase } from '../tools/registry/disabled-tools.ts';
import { wireNameOf } from '../tools/registry/wire-names.ts';
import type { EffectiveSettings } from './effective-settings.ts';

export interface FileSkillsPorts {
  readonly profileDirectory: string;
  readonly settings: Pick<EffectiveSettings, 'realWorkspace' | 'isConfirmed' | 'grantWith' | 'confirmUnlessDeclined'>;
  readonly clients: Clients;
  /** The names of skills that are switched off. They are no names of tools. */
  readonly disabled: {
    load(): readonly string[];
    update(change: (names: readonly string[]) => readonly string[]): Promise<unknown>;
  };
  /** A skill is offered as a tool, and the user switched off tools of its name. */
  readonly isToolSwitchedOff: (name: string) => boolean;
  /**
   * What had been read from outside before a tool changed something in this folder (a real path), if that is
   * unreviewed.
   */
  readonly marksOf: (folder: string) => readonly Mark[];
  readonly log: (message: string) => void;
}

/** Skills that nobody has confirmed or declined as they are now. */
export interface WaitingSkills {
  readonly count: number;
  readonly state: 'new' | 'changed';
}

const OF_PROFILE = 'skills';
const OF_WORKSPACE = join('.steward', 'skills');
const NONE: FoundSkills = { skills: [], problems: [] };

/**
 * Skills from files: those of the profile, and those of the workspace once a user has confirmed exactly them. A changed
 * skill is confirmed again; until then none of that folder is used.
 */
export class FileSkills {
  readonly #ports: FileSkillsPorts;
  /** Each host lives as long as the conversation's clients are in use. */
  readonly #hosts = new WeakMap<ConversationClients, SkillHost>();
  readonly #ofProfile = new SkillFolder();
  readonly #ofWorkspace = new SkillFolder();
  readonly #listeners = new Listeners();
  /** Names, when a turn last looked. */
  #waiting = '[]';

  constructor(ports: FileSkillsPorts) {
    this.#ports = ports;
  }

  /**
   * Calls the listener when other skills of the workspace wait for a user than before. Nobody watches their files, so a
   * turn finds that they have changed.
   */
  onChange(listener: () => void): () => void {
    return this.#listeners.add(listener);
  }

  /** Whether or not they are used. */
  async list(): Promise<readonly ListedSkill[]> {
    const { settings, isToolSwitchedOff } = this.#ports;
    const profile = await this.#inProfile();
    const { found, grant } = await this.#inWorkspace();
    const isConfirmed = settings.isConfirmed(grant);
    const names = new Set(profile.skills.map(({ skill }) => foldCase(skill.name)));
    const listed = ({ skills, problems }: FoundSkills, from: ListedSkill['from']): ListedSkill[] => [
      ...skills.map(({ skill: { name, description } }): ListedSkill => {
        if (from === 'workspace' && names.has(foldCase(name)))
          return { name, description: 'your profile has a skill of this name', from, state: 'unusable' };
        const waits = from === 'workspace' && !isConfirmed;
        const isOffAsTool = isToolSwitchedOff(name);
        const state = waits ? 'unconfirmed' : isOffAsTool || this.#isOff(name) ? 'off' : 'on';
        return { name, description, from, state, ...(isOffAsTool ? { isOffAsTool } : {}) };
      }),
      ...problems.map(({ folder, problem }): ListedSkill => {
        return { name: folder, description: problem, from, state: 'unusable' };
      }),
    ];
    return [...listed(profile, 'profile'), ...listed(found, 'workspace')];
  }

  /** A conversation has a skill of this name from its next turn on; as it gives it or in wire form. */
  async isOffered(name: string): Promise<boolean> {
    return (await this.list()).some(
      (skill) =>
        skill.state === 'on' && [skill.name, wireNameOf(skill.name)].some((each) => foldCase(each) === foldCase(name)),
    );
  }
  async enable(name: string): Promise<void> {
    await this.#ports.disabled.update((names) => names.filter((each) => foldCase(each) !== foldCase(name)));
  }

  async disable(name: string): Promise<void> {
    if (!this.#isOff(name)) await this.#ports.disabled.update((names) => [...names, name]);
  }

  /** Asks the user about the workspace's skills. Returns false if they were declined, or if there are none. */
  async confirm(signal: AbortSignal): Promise<boolean> {
    const { found, grant } = await this.#inWorkspace();
    if (found.skills.length === 0) return false;
    return this.#ports.settings.grantWith(grant, async () => undefined, signal);
  }

  /** Asks the same, unless the user declined exactly these before. Resolves with undefined if none waits for them. */
  async review(options: {
    readonly asksAgain: boolean;
    readonly signal: AbortSignal;
  }): Promise<WaitingSkills | undefined> {
    const { found, grant } = await this.#inWorkspace();
    if (found.skills.length === 0) return undefined;
    const state = await this.#ports.settings.confirmUnlessDeclined(grant, options);
    return state === 'new' || state === 'changed' ? { count: found.skills.length, state } : undefined;
  }

  /** Offers the skills before a turn, because a conversation has those that there are now. */
  async offerIn(conversationId: string): Promise<void> {
    const { settings, clients, marksOf, log } = this.#ports;
    const ofProfile = (await this.#inProfile()).skills;
    const names = new Set(ofProfile.map(({ skill }) => foldCase(skill.name)));
    const { found, grant } = await this.#inWorkspace();
    const confirmed = settings.isConfirmed(grant) ? found.skills : [];
    this.#waitFor(confirmed.length === 0 ? found : NONE);
    const ofWorkspace = confirmed.filter(({ skill }) => !names.has(foldCase(skill.name)));
    const ofConversation = clients.of(conversationId);
    const host = this.#hosts.get(ofConversation) ?? new SkillHost();
    this.#hosts.set(ofConversation, host);
    host.marks = new Map(
      ofWorkspace.map(({ skill: { name }, folder }) => [
        name,
        // The text is as any other of that folder.
        [...marksOf(folder), { kind: 'private', source: `the skill ${name} in the workspace` }],
      ]),
    );
    const skills = [...ofProfile, ...ofWorkspace].filter(({ skill }) => !this.#isOff(skill.name));
    const groups = skills.length === 0 ? [] : [groupOf(skills)];
    try {
      await ofConversation.register({ clientToolGroups: groups, resetClientState: groups.length === 0 }, host);
    } catch (error) {
      log(`Skills from files can't be used: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  #waitFor({ skills }: FoundSkills): void {
    const waiting = JSON.stringify(skills.map(({ skill }) => skill.name));
    if (waiting === this.#waiting) return;
    this.#waiting = waiting;
    this.#listeners.tell();
  }

  #isOff(name: string): boolean {
    return this.#ports.disabled.load().some((each) => foldCase(each) === foldCase(name));
  }

  #inProfile(): Promise<FoundSkills> {
    return foundIn(this.#ofProfile, this.#ports.profileDirectory, OF_PROFILE);
  }

  /** `grant` is exactly what was found, to be confirmed. */
  async #inWorkspace(): Promise<{ readonly found: FoundSkills; readonly grant: PermissionGrant<'skills'> }> {
    const workspace = this.#ports.settings.realWorkspace;
    const found = await foundIn(this.#ofWorkspace, workspace, OF_WORKSPACE);
    const value = found.skills.map(({ skill: { name, description }, files }) => ({ name, description, files }));
    return { found, grant: { subject: 'skills', key: skillsKey(workspace), value } };
  }
}

/** The folder itself must not lead elsewhere, where somebody else could change what was confirmed. */
async function foundIn(skills: SkillFolder, parent: string, folder: string): Promise<FoundSkills> {
  try {
    const real = await realpath(join(parent, folder));
    return real.startsWith((await realpath(parent)) + sep) ? await skills.skillsIn(real) : NONE;
  } catch {
    return NONE;
  }
}

function groupOf(skills: readonly FileSkill[]): ToolGroup {
  return { name: 'Skills', tools: [], skills: skills.map(({ skill }) => skill), startCollapsed: false };
}

/** Skills have no tools that it could be asked to execute. */
class SkillHost implements ClientHost {
  readonly name = SKILLS_NAME;
  readonly isConnected = true;
  /** The marks of the text of each skill of the workspace. */
  marks: ReadonlyMap<string, readonly Mark[]> = new Map();

  readonly ownCode: NonNullable<ClientHost['ownCode']> = {
    classOf: () => 'write',
    effectsOf: async () => ({ access: [] }),
    marksOf: (skill) => this.marks.get(skill) ?? [],
  };

  request(): void {
    throw new TypeError('Skills have no tools');
  }

  cancel(): void {
    throw new TypeError('Skills have no tools');
  }
}
