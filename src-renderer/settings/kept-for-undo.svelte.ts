import type { KeptForUndo, UndoLimits } from '../../src-preload/contract/settings.ts';
import { counted } from '../ui/amounts.ts';
import { ViewStore } from './view-store.svelte.ts';

/** How much is kept so that changes of files can be undone. */
export class KeptForUndoStore extends ViewStore<KeptForUndo, 'clear'> {
  protected override ask(): Promise<KeptForUndo> {
    return this.bridge.request('settings.keptForUndo', {});
  }

  clear(): Promise<boolean> {
    return this.changeWith('clear', () => this.bridge.request('settings.clearKeptForUndo', {}));
  }
}

const SIZES = [1, 5, 20, 100];
const AGES = [7, 30, 90];

interface Option {
  readonly id: string;
  readonly label: string;
}

/** Those on offer, and whatever else config.json says. */
export function sizeOptions({ maxGigabytes }: UndoLimits): readonly Option[] {
  return options(SIZES, maxGigabytes, (gigabytes) => `${gigabytes} GB`);
}

export function ageOptions({ maxDays }: UndoLimits): readonly Option[] {
  return options(AGES, maxDays, (days) => counted(days, 'day'));
}

function options(offered: readonly number[], chosen: number, label: (value: number) => string): readonly Option[] {
  const values = [...new Set([...offered, chosen])].sort((one, other) => one - other);
  return values.map((value) => ({ id: String(value), label: label(value) }));
}

/** `14 commands and 32 edits`; null if there are none. */
export function changesOf({ commands, edits }: KeptForUndo): string | null {
  const parts = [
    ...(commands === 0 ? [] : [counted(commands, 'command')]),
    ...(edits === 0 ? [] : [counted(edits, 'edit')]),
  ];
  return parts.length === 0 ? null : parts.join(' and ');
}
