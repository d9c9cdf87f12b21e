import type { SettingsView } from '../../src-preload/contract/settings.ts';
import { KeyForm } from '../settings/key-form.svelte.ts';
import { SettingsStore } from '../settings/settings-store.svelte.ts';
import type { Bridge } from '../ui/bridge.ts';
import { type AddedModel, OtherModel } from './other-model.svelte.ts';

export const STEPS = ['welcome', 'model', 'folder'] as const;
export type Step = (typeof STEPS)[number];

const GUIDE = 'guide';

/** The set-up on first start. Every step can be skipped; skipped choices keep their defaults. */
export class FirstRunSteps {
  step = $state<Step>('welcome');
  readonly store: SettingsStore;
  readonly key: KeyForm;
  readonly other: OtherModel;
  readonly #onFinished: () => void;

  /** `onFinished` is called when the last step is done or the set-up was skipped. */
  constructor(bridge: Bridge, onFinished: () => void) {
    this.#onFinished = onFinished;
    this.store = new SettingsStore(bridge);
    this.key = new KeyForm('anthropic-api-key', bridge, (view) => void this.#keyStored(view));
    this.key.open();
    this.other = new OtherModel(bridge, (specification) =>
      this.store.change('model', 'settings.chooseModel', { specification }),
    );
  }

  /** Follows the settings until the returned function is called. */
  start(): () => void {
    return this.store.start();
  }

  /** What is shown: another one is read from its beginning. */
  get page(): string {
    const { way, form, added } = this.other;
    const opened = form === null ? '' : `${form.template} ${form.row?.name ?? ''}`;
    return [this.step, way ?? '', added?.specification ?? opened].join('/');
  }

  get number(): number {
    return STEPS.indexOf(this.step);
  }

  /** The source of the Claude key, if there is one already. */
  get keySource() {
    return this.store.view?.secrets.find(({ name, isSet }) => name === 'anthropic-api-key' && isSet)?.source ?? null;
  }

  /** The model that will answer. */
  get model() {
    return this.store.view?.models.find(({ isChosen }) => isChosen);
  }

  /** The model that a message is sent to and that can answer. Null if it is the Guide, or lacks its key. */
  get connected(): { readonly label: string; readonly sentTo: string } | null {
    const { model } = this;
    if (model === undefined || model.sentTo === null) return null;
    if (model.specification.startsWith('anthropic:') && this.keySource === null) return null;
    return { label: model.label, sentTo: model.sentTo };
  }

  get isGuide(): boolean {
    return this.model?.specification === GUIDE;
  }

  next(): void {
    const next = STEPS[this.number + 1];
    if (next === undefined) this.#onFinished();
    else this.step = next;
  }

  back(): void {
    if (!this.other.back()) this.step = STEPS[this.number - 1] ?? 'welcome';
  }

  skipAll(): void {
    this.#onFinished();
  }

  async use(added: AddedModel): Promise<void> {
    if (await this.other.use(added)) this.next();
  }

  async useGuide(): Promise<void> {
    if (this.isGuide || (await this.store.change('model', 'settings.chooseModel', { specification: GUIDE })))
      this.next();
  }

  /** If the dialog is closed or the question denied, this step stays. */
  async chooseFolder(): Promise<void> {
    await this.store.change('workspace', 'settings.chooseWorkspace', {});
  }

  /** Once a key works, Claude is selected, unless it already is or another model was chosen before. */
  async #keyStored(view: SettingsView): Promise<void> {
    this.store.view = view;
    const claude = view.models.find(({ specification }) => specification.startsWith('anthropic:'));
    if (this.isGuide && claude !== undefined)
      await this.store.change('model', 'settings.chooseModel', { specification: claude.specification });
  }
}
