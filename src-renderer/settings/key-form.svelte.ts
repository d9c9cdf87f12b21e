import type { SecretName, SettingsView } from '../../src-preload/contract/settings.ts';
import { type Bridge, sentenceOf } from '../ui/bridge.ts';
import { keyName } from './key-texts.ts';

/**
 * Accepts one key: asks the service whether it works before storing it. The value is held only from typing to saving;
 * main never returns it.
 */
export class KeyForm {
  readonly name: SecretName;
  isOpen = $state(false);
  value = $state('');
  step = $state<'idle' | 'testing' | 'saving'>('idle');
  failure = $state<string | null>(null);
  /** What the service said about the key stored last. */
  success = $state<string | null>(null);
  readonly #bridge: Bridge;
  readonly #onStored: (view: SettingsView) => void;

  constructor(name: SecretName, bridge: Bridge, onStored: (view: SettingsView) => void) {
    this.name = name;
    this.#bridge = bridge;
    this.#onStored = onStored;
  }

  get isBusy(): boolean {
    return this.step !== 'idle';
  }

  open(): void {
    this.isOpen = true;
    this.success = null;
  }

  /** Clears the field. */
  close(): void {
    this.isOpen = false;
    this.value = '';
    this.failure = null;
  }

  edited(): void {
    this.failure = null;
  }

  /** Resolves with true if the key works and is stored. */
  async testAndSave(): Promise<boolean> {
    const value = this.value.trim();
    if (this.isBusy) return false;
    if (value === '') {
      this.failure = `Paste the ${keyName(this.name)} first.`;
      return false;
    }
    this.failure = null;
    this.success = null;
    this.step = 'testing';
    try {
      const { works, message } = await this.#bridge.request('settings.testKey', { name: this.name, value });
      if (!works) {
        this.failure = message;
        return false;
      }
      this.step = 'saving';
      const view = await this.#bridge.request('settings.setKey', { name: this.name, value });
      this.close();
      this.success = message;
      this.#onStored(view);
      return true;
    } catch (error) {
      this.failure = sentenceOf(error);
      return false;
    } finally {
      this.step = 'idle';
    }
  }

  async remove(): Promise<void> {
    this.step = 'saving';
    this.success = null;
    try {
      this.#onStored(await this.#bridge.request('settings.removeKey', { name: this.name }));
      this.failure = null;
    } catch (error) {
      this.failure = sentenceOf(error);
    } finally {
      this.step = 'idle';
    }
  }
}
