import type { SettingsView } from '../../src-preload/contract/settings.ts';
import type { Bridge } from '../ui/bridge.ts';
import { ModelListsStore } from '../ui/models/model-lists.svelte.ts';
import { reported } from '../ui/reported.ts';

/** The settings that the frame and the chat show. Reloaded whenever main reports a change. */
export class SettingsState {
  view: SettingsView | null = $state.raw(null);
  readonly modelLists: ModelListsStore;
  readonly #bridge: Bridge;

  constructor(bridge: Bridge) {
    this.#bridge = bridge;
    this.modelLists = new ModelListsStore(bridge);
  }

  get chosenModel() {
    return this.view?.models.find((model) => model.isChosen);
  }

  async read(): Promise<void> {
    await this.#take(this.#bridge.request('settings.get', {}));
  }

  async chooseModel(specification: string): Promise<void> {
    await this.#take(this.#bridge.request('settings.chooseModel', { specification }));
  }

  async chooseWorkspace(): Promise<void> {
    await this.#take(this.#bridge.request('settings.chooseWorkspace', {}));
  }

  async grantFolder(path: string): Promise<void> {
    await this.#take(this.#bridge.request('settings.addFolder', { path }));
  }

  async confirmPending(): Promise<void> {
    await this.#take(this.#bridge.request('settings.confirmPending', {}));
  }

  /** Confirms the skills of the folder in which the user works. */
  async confirmSkills(): Promise<void> {
    await this.#take(this.#bridge.request('settings.confirmSkills', {}));
  }

  /** Folders, rules and keys are confirmed elsewhere, so the settings are reloaded whatever the answer was. */
  async #take(answer: Promise<SettingsView>): Promise<void> {
    const view = await reported(answer);
    if (view !== undefined) this.view = view;
  }
}
