import { homedir } from 'node:os';
import type { BoundsView } from '../../../src-preload/contract/bounds.ts';
import type { settings } from '../../../src-preload/contract/settings.ts';
import { realPathOrItself } from '../../base/real-path.ts';
import { freedomOf, freelyRulesOf } from '../../policy/freedom.ts';
import { rulesMeet } from '../../policy/rule-offers.ts';
import { endingInAWeek, freelyRule } from '../../policy/work-freely.ts';
import type { Handlers } from '../handlers.ts';
import { IpcError } from '../ipc-error.ts';
import type { SettingsChange } from './settings-change.ts';

/** In which folders the assistant works freely. */
export function boundsHandlers({
  services,
  signal,
  question,
  changed,
}: SettingsChange): Pick<Handlers<typeof settings>, 'bounds' | 'workFreely' | 'askAgain' | 'setAsksBeforeCommands'> {
  const { rules } = services.storage;
  const place = () => {
    const { files } = services.toolServices.environment;
    return { home: realPathOrItself(homedir()), isInsideRoots: (path: string) => files.contains(path) };
  };
  const folders = () => [...new Set([services.workspace, ...services.config.folders])];
  const view = async (): Promise<BoundsView> => {
    const given = { ...place(), rules: rules.all(), now: new Date() };
    return {
      folders: folders().map((path) => ({ path, freedom: freedomOf(realPathOrItself(path), given) })),
      lack: await services.sandboxLack(),
      asksBeforeCommands: services.config.tools.askBeforeCommands,
    };
  };
  /** The real path. Throws `IpcError` `unusable_folder`. */
  const rootOf = (folder: string) => {
    const root = realPathOrItself(folder);
    if (folders().includes(folder) && freedomOf(root, { ...place(), rules: [], now: new Date() }).state === 'asks')
      return root;
    throw new IpcError('unusable_folder', `Steward can’t work freely in ${folder}.`);
  };
  const permanentRules = (root: string) =>
    freelyRulesOf(root, rules.all(), new Date()).filter(({ conversationId }) => conversationId === null);
  return {
    bounds: view,

    workFreely: async ({ folder, lasts }) => {
      const root = rootOf(folder);
      const [rule] = freelyRule(root, place());
      if (rule === undefined) throw new TypeError('a folder that asks can be allowed more');
      const holdsCommands = (await services.sandboxLack()) === null;
      const value = { folder: root, lasts, holdsCommands, meetsRules: rulesMeet([rule], rules.list(null)) };
      const item = { subject: 'work-freely', key: `workFreely[${root}]`, value } as const;
      await question.confirm(() => services.askForGrant(item, signal), `Steward still asks in ${root}.`);
      // What was allowed for a folder above stays: that folder may become a root again.
      for (const { id, label } of permanentRules(root)) if (label === rule.label) rules.revoke(id);
      rules.add(lasts === 'week' ? endingInAWeek(rule, new Date()) : rule, null);
      await changed();
      return view();
    },

    askAgain: async ({ folder }) => {
      for (const { id } of permanentRules(realPathOrItself(folder))) rules.revoke(id);
      await changed();
      return view();
    },

    setAsksBeforeCommands: async ({ isOn }) => {
      if (isOn === services.config.tools.askBeforeCommands) return view();
      if (!isOn) {
        const item = { subject: 'unasked-commands', key: 'tools.askBeforeCommands', value: true } as const;
        await question.confirm(() => services.askForGrant(item, signal), 'Steward still asks before every command.');
      }
      await services.settings.update(({ tools }) => ({ tools: { ...tools, askBeforeCommands: isOn } }));
      await changed();
      return view();
    },
  };
}
