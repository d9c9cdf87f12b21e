import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorMessage } from '../base/errors.ts';
import { isRecord } from '../base/json.ts';
import { renameOverSync } from '../base/rename-over.ts';

export type Theme = 'system' | 'light' | 'dark';

export interface Bounds {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** What the window remembers between starts. Nothing else depends on it. */
export interface Remembered {
  readonly bounds: Bounds | undefined;
  readonly isMaximized: boolean;
  readonly theme: Theme;
  /** Text size of the chat; 1 is 100 %. */
  readonly zoom: number;
  /** Text size of the consent surface, which the chat can't change. */
  readonly consentZoom: number;
  readonly isFirstRunFinished: boolean;
  /** The id of the conversation that was open, or null if it was a new one. */
  readonly conversation: string | null;
  /** The absolute folder in which a file was saved last, or null if there is none yet. */
  readonly saveFolder: string | null;
}

/** The smallest and the largest text size. */
export const ZOOM = { least: 0.5, most: 3 } as const;
/** Questions must be readable: never tiny, and not too large to fit. */
export const CONSENT_ZOOM = { least: 0.8, most: 2 } as const;

const CONVERSATION_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The conversation that is open according to the page's URL, or null if there is none. */
export function conversationIn(url: string): string | null {
  const id = URL.canParse(url) ? new URL(url).hash.slice(1) : '';
  return CONVERSATION_ID.test(id) ? id : null;
}

/**
 * What the window remembers in `window.json` of the profile. A missing or invalid file counts as empty. What a newer
 * version wrote into it is kept.
 */
export class WindowMemory {
  readonly #path: string;
  #written: object;
  #remembered: Remembered;

  constructor(profileDirectory: string) {
    this.#path = join(profileDirectory, 'window.json');
    this.#written = read(this.#path);
    this.#remembered = rememberedIn(this.#written);
  }

  get current(): Remembered {
    return this.#remembered;
  }

  /** Saved immediately; if saving fails, it is remembered until the app ends. */
  remember(part: Partial<Remembered>): void {
    this.#remembered = { ...this.#remembered, ...part };
    this.#written = { ...this.#written, ...part };
    const temporary = `${this.#path}.${process.pid}`;
    try {
      writeFileSync(temporary, `${JSON.stringify(this.#written, null, 2)}\n`, { mode: 0o600 });
      renameOverSync(temporary, this.#path);
    } catch (error) {
      const reason = errorMessage(error);
      process.stderr.write(`The window's position and appearance could not be saved: ${reason}\n`);
    }
  }
}

function read(path: string): object {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return isRecord(value) ? value : {};
  } catch {
    // On the first start or with a broken file, the window opens with defaults.
    return {};
  }
}

function rememberedIn(written: object): Remembered {
  const {
    bounds,
    isMaximized,
    theme,
    zoom,
    consentZoom,
    isFirstRunFinished,
    conversation,
    saveFolder,
  }: Partial<Record<keyof Remembered, unknown>> = written;
  return {
    bounds: isBounds(bounds) ? bounds : undefined,
    isMaximized: isMaximized === true,
    theme: theme === 'light' || theme === 'dark' ? theme : 'system',
    zoom: isWithin(zoom, ZOOM) ? zoom : 1,
    consentZoom: isWithin(consentZoom, CONSENT_ZOOM) ? consentZoom : 1,
    isFirstRunFinished: isFirstRunFinished === true,
    conversation: typeof conversation === 'string' && CONVERSATION_ID.test(conversation) ? conversation : null,
    saveFolder: typeof saveFolder === 'string' ? saveFolder : null,
  };
}

function isWithin(value: unknown, { least, most }: { readonly least: number; readonly most: number }): value is number {
  return typeof value === 'number' && value >= least && value <= most;
}

function isBounds(value: unknown): value is Bounds {
  if (typeof value !== 'object' || value === null) return false;
  const { x, y, width, height }: Partial<Record<keyof Bounds, unknown>> = value;
  return [x, y, width, height].every((each) => Number.isInteger(each)) && Number(width) > 0 && Number(height) > 0;
}

/** Fits a remembered window to the current displays: moved and shrunk into the one it overlaps most, if any. */
export function placedOn(bounds: Bounds, workAreas: readonly Bounds[]): Bounds | undefined {
  const [best] = workAreas
    .map((area) => ({ area, overlap: overlapOf(bounds, area) }))
    .sort((a, b) => b.overlap - a.overlap);
  if (best === undefined || best.overlap === 0) return undefined;
  const { area } = best;
  const width = Math.min(bounds.width, area.width);
  const height = Math.min(bounds.height, area.height);
  return {
    width,
    height,
    x: Math.max(area.x, Math.min(bounds.x, area.x + area.width - width)),
    y: Math.max(area.y, Math.min(bounds.y, area.y + area.height - height)),
  };
}

function overlapOf(a: Bounds, b: Bounds): number {
  const width = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
  const height = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
  return Math.max(0, width) * Math.max(0, height);
}

export function within({ least, most }: { readonly least: number; readonly most: number }, factor: number): number {
  return Math.round(Math.min(most, Math.max(least, factor)) * 100) / 100;
}
