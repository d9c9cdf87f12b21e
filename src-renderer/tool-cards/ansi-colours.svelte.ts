import type Anser from 'anser';
import { withStandIns } from '../ui/unseen-characters.ts';
import { withoutColours } from './terminal-text.ts';

export type TerminalColour = 'red' | 'green' | 'yellow' | 'blue' | 'magenta' | 'cyan' | 'soft';

/** A piece of command output with one style. */
export interface TerminalSpan {
  readonly text: string;
  readonly colour: TerminalColour | null;
  readonly background: TerminalColour | null;
  readonly isBold: boolean;
  readonly isItalic: boolean;
  readonly isUnderlined: boolean;
}

type Engine = typeof Anser;

/** Longer output is not coloured, because it would be slow. */
const MAX_ORDERS = 20_000;
const PLAIN = { colour: null, background: null, isBold: false, isItalic: false, isUnderlined: false } as const;
const NAMED: Readonly<Record<string, TerminalColour | null>> = {
  black: 'soft',
  red: 'red',
  green: 'green',
  yellow: 'yellow',
  blue: 'blue',
  magenta: 'magenta',
  cyan: 'cyan',
  white: null,
};
/** Hues in degrees up to which a colour bears its name, going round from red. */
const HUES: readonly (readonly [number, TerminalColour])[] = [
  [20, 'red'],
  [70, 'yellow'],
  [165, 'green'],
  [200, 'cyan'],
  [260, 'blue'],
  [335, 'magenta'],
  [360, 'red'],
];

/** Terminal colours, mapped to the theme's. The parser is loaded when the first coloured output is shown. */
class AnsiColours {
  #engine: Engine | undefined = $state.raw();
  #loading: Promise<void> | undefined;

  load(): void {
    this.#loading ??= import('anser').then(
      (module) => {
        this.#engine = module.default;
      },
      // The text is still readable without colours; the next output tries again.
      () => {
        this.#loading = undefined;
      },
    );
  }

  /** One piece while the engine loads. */
  spans(text: string): readonly TerminalSpan[] {
    const engine = this.#engine;
    if (!text.includes('\u001b')) return [{ ...PLAIN, text: withStandIns(text) }];
    if (engine === undefined || text.split('\u001b').length > MAX_ORDERS)
      return [{ ...PLAIN, text: withStandIns(withoutColours(text)) }];
    return spansOf(engine, text);
  }
}

export const ansiColours = new AnsiColours();

/** `text` contains no escape sequences other than colours. */
export function spansOf(engine: Engine, text: string): readonly TerminalSpan[] {
  return engine
    .ansiToJson(text, { json: true, use_classes: true, remove_empty: true })
    .map(({ content, fg, bg, fg_truecolor, bg_truecolor, decorations }) => ({
      text: withStandIns(content),
      colour: decorations.includes('dim') && fg === null ? 'soft' : colourOf(fg, fg_truecolor),
      background: colourOf(bg, bg_truecolor),
      isBold: decorations.includes('bold'),
      isItalic: decorations.includes('italic'),
      isUnderlined: decorations.includes('underline'),
    }));
}

/** anser's names: `ansi-red`, `ansi-bright-red`, `ansi-palette-208`, `ansi-truecolor` with `r, g, b` beside it. */
function colourOf(name: string | null, rgb: string | null): TerminalColour | null {
  if (name === null) return null;
  const palette = /^ansi-palette-(\d+)$/.exec(name)?.[1];
  if (palette !== undefined) return nearest(paletteRgb(Number(palette)));
  if (name === 'ansi-truecolor') return nearest((rgb ?? '').split(',').map(Number));
  return NAMED[name.replace(/^ansi-(?:bright-)?/, '')] ?? null;
}

/** 16 to 231 is a cube of six levels each, then greys. Source: xterm's 256 colours. */
function paletteRgb(index: number): readonly number[] {
  if (index > 231) return Array.from({ length: 3 }, () => (index - 232) * 10 + 8);
  const level = (step: number) => (step === 0 ? 0 : 55 + step * 40);
  const cube = index - 16;
  return [Math.floor(cube / 36), Math.floor(cube / 6) % 6, cube % 6].map(level);
}

/** A colour of the theme, whose contrast is known. Greys are soft or none. */
function nearest([r = 0, g = 0, b = 0]: readonly number[]): TerminalColour | null {
  const highest = Math.max(r, g, b);
  const range = highest - Math.min(r, g, b);
  if (range < 40) return highest > 170 ? null : 'soft';
  const sector = highest === r ? ((g - b) / range + 6) % 6 : highest === g ? (b - r) / range + 2 : (r - g) / range + 4;
  return HUES.find(([until]) => sector * 60 <= until)?.[1] ?? null;
}
