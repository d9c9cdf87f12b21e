import type { ProviderForm, ProviderList, providers } from '../../../src-preload/contract/providers.ts';
import { errorMessage } from '../../base/errors.ts';
import type { ListedModel } from '../../models/provider.ts';
import type { GivenProvider, ModelsPart, ProfilePart, SettingsPart } from '../../services.ts';
import type { Desktop } from '../desktop-port.ts';
import { needGesture } from '../gesture.ts';
import type { Handlers } from '../handlers.ts';
import { IpcError } from '../ipc-error.ts';
import { withLaterChanges } from '../later-changes.ts';
import { declined, OneQuestion } from '../one-question.ts';
import { PROVIDER_PAGES } from '../vendor-pages.ts';
import { modelLists, modelRow } from './model-lists.ts';
import { providerForm, providerList } from './provider-view.ts';

export interface ProvidersPorts {
  readonly services: ProfilePart & SettingsPart & ModelsPart;
  readonly desktop: Pick<Desktop, 'openExternal' | 'takeGesture'>;
  readonly onChanged: () => void;
  /** Cancels this window's questions when it closes. */
  readonly signal: AbortSignal;
}

type ProviderHandlers = Handlers<typeof providers>;

export function providersHandlers(ports: ProvidersPorts): ProviderHandlers {
  const { desktop, signal } = ports;
  const question = new OneQuestion('another model provider', signal);
  return {
    ...configuredProviderHandlers(ports, question),
    ...modelListHandlers(ports, question),
    openPage: async ({ page }, circumstances) => {
      needGesture(desktop, circumstances);
      await desktop.openExternal(PROVIDER_PAGES[page]);
      return null;
    },
  };
}

/** Shows and changes the providers of config.json. */
function configuredProviderHandlers(
  { services, desktop, onChanged, signal }: ProvidersPorts,
  question: OneQuestion,
): Pick<ProviderHandlers, 'list' | 'get' | 'add' | 'change' | 'confirm' | 'remove' | 'removeKey'> {
  const { providerSettings } = services;
  /** What the page's forms showed when they were opened. */
  const opened = new Map<string, ProviderForm>();
  const list = () => providerList(services);
  const changed = () => {
    onChanged();
    return list();
  };
  /** Resolves with the new list; rejects if the user declined. */
  const confirmed = async (work: () => Promise<boolean>): Promise<ProviderList> => {
    await question.confirm(work);
    return changed();
  };

  return {
    list,
    get: ({ name }) => {
      const form = providerForm(name, services);
      if (form === undefined) throw new IpcError('unknown_provider', `There is no provider named “${name}”.`);
      opened.set(name, form);
      return form;
    },
    add: (given) => confirmed(() => providerSettings.add(given, signal)),
    // What needs no question (model, limits) still needs a user.
    change: ({ name, form: submitted, key }, circumstances) => {
      needGesture(desktop, circumstances);
      const form = withLaterChanges(submitted, opened.get(name), providerForm(name, services));
      return confirmed(() => providerSettings.change(name, { form, key }, signal));
    },
    confirm: ({ name }) => confirmed(() => providerSettings.confirm(name, signal)),
    remove: async ({ name }, circumstances) => {
      needGesture(desktop, circumstances);
      await providerSettings.remove(name);
      return changed();
    },
    removeKey: async ({ name }, circumstances) => {
      needGesture(desktop, circumstances);
      await providerSettings.removeKey(name);
      return changed();
    },
  };
}

/** Asks services which models they have. */
function modelListHandlers(
  { services, desktop, signal }: ProvidersPorts,
  question: OneQuestion,
): Pick<ProviderHandlers, 'test' | 'models' | 'refreshModels' | 'findOllama'> {
  const { providerSettings, modelServices } = services;
  /** Why the last list of a provider could not be fetched. */
  const problems = new Map<string, string>();

  return {
    // The key goes to the address, so the user is asked unless they already decided on it.
    test: async ({ name, ...given }, circumstances) => {
      needGesture(desktop, circumstances);
      const tested = await question.run(() => providerSettings.test(name, given, signal));
      if (tested === undefined) throw declined();
      if (tested.test.works) problems.delete(name ?? given.form.name);
      return { test: tested.test, models: await rowsOf(tested.models, given) };
    },
    models: () => modelLists(services, problems),
    refreshModels: async ({ name }) => {
      try {
        await providerSettings.refreshModels(name, signal);
        problems.delete(name);
      } catch (error) {
        signal.throwIfAborted();
        problems.set(name, errorMessage(error));
      }
      return modelLists(services, problems);
    },
    findOllama: async () => {
      const found = await providerSettings.findOllama(signal);
      return found === undefined ? null : { address: found.address, models: found.models.map(({ id }) => id) };
    },
  };

  async function rowsOf(models: readonly ListedModel[], { form }: GivenProvider) {
    const { type, model } = form;
    const provider = await modelServices.provider({ provider: form.name, type, model }, null);
    return models.map((each) => modelRow(form.name, each, provider));
  }
}
