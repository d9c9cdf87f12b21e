import type { settings } from '../../../src-preload/contract/settings.ts';
import { ModelChoiceError } from '../../models/registry.ts';
import { needGesture } from '../gesture.ts';
import type { Handlers } from '../handlers.ts';
import { IpcError } from '../ipc-error.ts';
import { OneQuestion } from '../one-question.ts';
import { boundsHandlers } from './bounds-handlers.ts';
import { folderHandlers } from './folder-handlers.ts';
import { keyHandlers } from './key-handlers.ts';
import type { SettingsPorts } from './settings-change.ts';
import { dataView, ruleRows, settingsView } from './settings-view.ts';
import { toolHandlers } from './tool-handlers.ts';

export function settingsHandlers({ services, desktop, signal, onChanged }: SettingsPorts): Handlers<typeof settings> {
  const { storage } = services;
  const question = new OneQuestion('another change', signal);
  /** The first start chooses Claude as soon as its key is stored, long after the click. */
  let isClaudeNext = false;
  const changed = () => {
    onChanged();
    return settingsView(services);
  };
  const change = { services, desktop, signal, question, changed };

  return {
    get: () => settingsView(services),

    chooseModel: async ({ specification }, circumstances) => {
      const { settings: configured, provider, type } = await services.chooseModel(specification);
      // Conversations go to the chosen model from now on.
      if (!isClaudeNext || provider !== 'anthropic') needGesture(desktop, circumstances);
      isClaudeNext = false;
      // A vendor that is in nobody's settings would otherwise receive the conversation.
      if (configured === undefined && type !== 'guide' && provider !== 'anthropic')
        throw new ModelChoiceError(`There is no provider ${provider} yet. Add it first.`);
      await services.settings.update(() => ({ model: specification }));
      return changed();
    },

    ...toolHandlers(change),
    ...keyHandlers({
      ...change,
      onStored: (name) => {
        isClaudeNext = name === 'anthropic-api-key';
      },
    }),
    ...folderHandlers(change),
    ...boundsHandlers(change),

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

    setUndoLimits: async (undo, circumstances) => {
      needGesture(desktop, circumstances);
      await services.settings.update(() => ({ undo }));
      onChanged();
      return dataView(services);
    },

    keptForUndo: () => services.undo.kept(),

    clearKeptForUndo: async (_none, circumstances) => {
      needGesture(desktop, circumstances);
      if (!(await services.undo.clearKept()))
        throw new IpcError(
          'not_cleared',
          'Nothing was cleared, because a command is running or something is being undone. Try again when that has ended.',
        );
      return services.undo.kept();
    },

    showProfileFolder: async (_none, circumstances) => {
      needGesture(desktop, circumstances);
      await desktop.showFolder(services.profileDirectory);
      return null;
    },
  };
}
