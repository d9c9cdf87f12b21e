import { existsSync, realpathSync, statSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import type { SecretName, settings } from '../../../src-preload/contract/settings.ts';
import { isInside } from '../../base/paths.ts';
import { realPathOfSync } from '../../base/real-path.ts';
import { canBeTested, type KeyTestResult, testKey } from '../../models/key-test.ts';
import { ModelChoiceError } from '../../models/registry.ts';
import { isTooWide } from '../../policy/roots.ts';
import { environmentNames } from '../../secrets/secret-names.ts';
import type { Services } from '../../services.ts';
import { folderGrant, workspaceGrant } from '../../settings/permission-grants.ts';
import { withCollapsed } from '../../tools/registry/tool-groups.ts';
import { toolGrant } from '../conversations/command-answers.ts';
import type { Desktop } from '../desktop-port.ts';
import { needGesture } from '../gesture.ts';
import type { Circumstances, Handlers } from '../handlers.ts';
import { IpcError } from '../ipc-error.ts';
import { OneQuestion } from '../one-question.ts';
import { dataView, ruleRows, settingsView } from './settings-view.ts';
import { knownGroups } from './tool-group-rows.ts';

export interface SettingsPorts {
  readonly services: Services;
  readonly desktop: Pick<Desktop, 'chooseFolder' | 'facts' | 'showFolder' | 'takeGesture' | 'writing'>;
  /** Cancels this window's questions when it closes. */
  readonly signal: AbortSignal;
  readonly onChanged: () => void;
}

export function settingsHandlers(ports: SettingsPorts): Handlers<typeof settings> {
  const { services, desktop, signal, onChanged } = ports;
  const { secrets, registry, storage } = services;
  const view = () => settingsView(services);
  const chooseFolder = (title: string, circumstances: Circumstances) => {
    needGesture(desktop, circumstances);
    return desktop.chooseFolder(title, services.workspace);
  };
  const question = new OneQuestion('another change', signal);
  /** A key enables tools, and its owner can see the requests made with it: a page must not insert one of its own. */
  const confirmKey = async (name: SecretName, key: string) => {
    const status = (await secrets.status()).find((each) => each.name === name);
    const ended = name === 'google-client-id' ? await services.googleAccounts.endedByClient(key) : [];
    const item = {
      subject: name.startsWith('google-client') ? 'google-client' : 'key',
      key: environmentNames[name] ?? name,
      value: [shownKey(name, key), ...ended.map((account) => `Ends the sign-in to ${account}`)].join('\n'),
      ...(status?.isSet === true ? { previous: 'another key is set' } : {}),
    } as const;
    if (!(await question.run(() => services.askForGrant(item, signal)))) throw declined('It was not stored.');
  };
  /** A key that works and that main saw the user type or paste and then submit needs no question. */
  let enteredKey: { readonly name: SecretName; readonly value: string } | undefined;
  let testedKey: { readonly name: SecretName; readonly value: string; readonly result: KeyTestResult } | undefined;
  /** The first start chooses Claude as soon as its key is stored, long after the click. */
  let isClaudeNext = false;
  const changed = () => {
    onChanged();
    return view();
  };

  return {
    get: view,

    chooseModel: async ({ specification }, circumstances) => {
      const { settings: configured, provider, type } = await services.chooseModel(specification);
      // Conversations go there from now on.
      if (!isClaudeNext || provider !== 'anthropic') needGesture(desktop, circumstances);
      isClaudeNext = false;
      // A vendor that is in nobody's settings would receive the conversation.
      if (configured === undefined && type !== 'guide' && provider !== 'anthropic')
        throw new ModelChoiceError(`There is no provider ${provider} yet. Add it first.`);
      await services.settings.update(() => ({ model: specification }));
      return changed();
    },

    setToolEnabled: async ({ name, isEnabled }) => {
      const tool = registry.get(name);
      if (tool === undefined) throw new IpcError('unknown_tool', `There is no tool ${JSON.stringify(name)}.`);
      if (isEnabled && registry.isLeftOutByProfile(tool))
        throw new IpcError(
          'left_out_by_profile',
          `${tool.name} is left out because tools.profile in config.json is "lean". Set it to "all" to have it.`,
        );
      if (isEnabled && !registry.isEnabled(tool)) {
        const item = toolGrant([tool]);
        if (!(await question.run(() => services.askForGrant(item, signal))))
          throw declined(`${tool.name} stays switched off.`);
        await registry.enable([tool.name]);
      } else if (!isEnabled) await registry.disable([tool.name]);
      return changed();
    },

    collapseTools: async ({ group, isCollapsed }, circumstances) => {
      needGesture(desktop, circumstances);
      const groups = knownGroups(registry);
      const id = groups.find((each) => each === group);
      if (id === undefined) throw new IpcError('unknown_tool', `There is no group of tools ${JSON.stringify(group)}.`);
      await services.settings.update(({ tools }) => ({
        tools: { ...tools, collapsed: [...withCollapsed(id, isCollapsed, tools.collapsed, groups)] },
      }));
      return changed();
    },

    setSkillEnabled: async ({ name, isEnabled }) => {
      const skill = (await services.skills.list()).find((each) => each.name === name);
      if (skill === undefined) throw new IpcError('unknown_tool', `There is no skill ${JSON.stringify(name)}.`);
      if (isEnabled && skill.state === 'off') {
        if (skill.isOffAsTool === true)
          throw new IpcError(
            'switched_off',
            `tools.disabled in config.json contains ${name}, too. Type /tools enable ${name} first.`,
          );
        const item = { subject: 'tool', key: `skill:${name}`, value: skill.description } as const;
        if (!(await question.run(() => services.askForGrant(item, signal))))
          throw declined(`${name} stays switched off.`);
        await services.skills.enable(name);
      } else if (!isEnabled) await services.skills.disable(name);
      return changed();
    },

    confirmSkills: async () => {
      if (!(await question.run(() => services.skills.confirm(signal)))) throw declined('Its skills are not used.');
      return changed();
    },

    testKey: async ({ name, value }, circumstances) => {
      enteredKey = undefined;
      // The key is sent to the service: a compromised page could send anything as a key.
      needGesture(desktop, circumstances);
      const isEntered = (await desktop.writing()).holdsLines(value);
      const result = await testKey(name, value, services.baseUrlOf);
      if (isEntered && result.works && canBeTested(name)) enteredKey = { name, value };
      testedKey = canBeTested(name) ? { name, value, result } : undefined;
      return result;
    },

    setKey: async ({ name, value }) => {
      const isEntered = enteredKey?.name === name && enteredKey.value === value;
      enteredKey = undefined;
      const key = secrets.check(name, value);
      const flaw = services.googleAccounts.keyFlaw(name, key);
      if (flaw !== undefined) throw new IpcError('unlikely_key', flaw);
      if (!isEntered) await confirmKey(name, key);
      await secrets.set(name, value);
      const tested = testedKey?.name === name && testedKey.value === value ? testedKey.result : null;
      await services.providerSettings.vendorKeyTested(name, tested);
      isClaudeNext = name === 'anthropic-api-key';
      if (name === 'google-client-id') await services.googleAccounts.clientChanged(key);
      await services.refreshCredentials();
      return changed();
    },

    removeKey: async ({ name }) => {
      await secrets.remove(name);
      await services.providerSettings.vendorKeyTested(name, null);
      await services.refreshCredentials();
      return changed();
    },

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
        const folder = path === undefined ? realFolder(chosen, services.profileDirectory) : offeredFolder(path, ports);
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

    confirmPending: async () => {
      await question.run(() => services.confirmPending(signal));
      return changed();
    },

    rules: () => ruleRows(services),

    revokeRule: ({ id }) => {
      if (!storage.rules.revoke(id)) throw new IpcError('unknown_rule', 'This rule no longer exists.');
      onChanged();
      return ruleRows(services);
    },

    data: () => dataView(services),

    makeBackup: async () => {
      await storage.backups.makeDaily();
      return dataView(services);
    },

    showProfileFolder: async (_none, circumstances) => {
      needGesture(desktop, circumstances);
      await desktop.showFolder(services.profileDirectory);
      return null;
    },
  };
}

/** Enough to tell keys apart, too little to be useful to an attacker. */
const SHOWN_OF_KEY = 4;

/** A client id is no secret, and all of them end alike. */
function shownKey(name: SecretName, key: string): string {
  return name === 'google-client-id' ? key : `a key that ends in ${JSON.stringify(key.slice(-SHOWN_OF_KEY))}`;
}

function declined(consequence: string): IpcError {
  return new IpcError('not_confirmed', `You did not confirm it. ${consequence}`);
}

function unusable(path: string, why: string): IpcError {
  return new IpcError('unusable_folder', `The folder ${path} cannot be used: ${why}.`);
}

/**
 * A folder that a card offered; a tool may create it later. Whole home folders and disks are granted only to a user who
 * chooses them. Throws `IpcError` `unusable_folder`.
 */
function offeredFolder(path: string, { services, desktop }: SettingsPorts): string {
  const isToBeMade = isAbsolute(path) && !path.includes('\0') && !existsSync(path);
  if (!isToBeMade) return notTooWide(realFolder(path, services.profileDirectory), desktop);
  const folder = realPathOfSync(path).path;
  if (isInside(realpathSync(services.profileDirectory), folder)) throw unusable(path, INSIDE_PROFILE);
  return notTooWide(folder, desktop);
}

function notTooWide(folder: string, { facts }: SettingsPorts['desktop']): string {
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
