import type { InputEvent } from 'electron';
import type { PressedKey } from './pressed-key.ts';

/** What an `input-event` says, in whichever shape this release of Electron sends it. */
export type HeardInput = HeardKey | HeardMouse | HeardTouch;

export interface HeardKey extends PressedKey {
  readonly kind: 'key';
  readonly isDown: boolean;
  readonly isAutoRepeat: boolean;
}

export interface HeardMouse {
  readonly kind: 'mouse';
  readonly isDown: boolean;
  /** `other` is back, forward, or a button that the event does not name. */
  readonly button: 'left' | 'middle' | 'right' | 'other';
  /** Whether the Control key was held; since Electron 37 the event does not say. */
  readonly isWithControl: boolean | undefined;
}

export interface HeardTouch {
  readonly kind: 'touch';
  readonly type: 'tap' | 'menu';
}

const KEYS: Readonly<Partial<Record<string, boolean>>> = { keyDown: true, rawKeyDown: true, keyUp: false };
const BUTTONS: Readonly<Partial<Record<string, boolean>>> = { mouseDown: true, mouseUp: false };
const TOUCHES: Readonly<Partial<Record<string, HeardTouch['type']>>> = {
  gestureTap: 'tap',
  touchEnd: 'tap',
  gestureLongPress: 'menu',
  gestureLongTap: 'menu',
  gestureTwoFingerTap: 'menu',
};

/**
 * The type that Electron declares names neither a key nor a button, and since Electron 37 mouse events have no
 * `modifiers`. So nothing is taken for granted here: a field counts only if it is there. Source:
 * shell/common/gin_converters/blink_converter.cc of both lines.
 */
export function heardInput(event: InputEvent): HeardInput | undefined {
  const isKeyDown = KEYS[event.type];
  if (isKeyDown !== undefined) return heardKey(event, isKeyDown);
  const isButtonDown = BUTTONS[event.type];
  if (isButtonDown !== undefined) return heardMouse(event, isButtonDown);
  const touch = TOUCHES[event.type];
  return touch && { kind: 'touch', type: touch };
}

function heardKey(event: InputEvent, isDown: boolean): HeardKey | undefined {
  const key = 'key' in event ? event.key : undefined;
  if (typeof key !== 'string') return undefined;
  const fields = new Map<string, unknown>(Object.entries(event));
  const is = (name: string) => fields.get(name) === true;
  return {
    kind: 'key',
    isDown,
    key,
    isAutoRepeat: is('isAutoRepeat'),
    control: is('control'),
    alt: is('alt'),
    meta: is('meta'),
    shift: is('shift'),
  };
}

function heardMouse(event: InputEvent, isDown: boolean): HeardMouse {
  const named = 'button' in event ? event.button : undefined;
  const { modifiers } = event;
  const button = named === undefined ? buttonAmong(modifiers ?? []) : knownButton(named);
  return { kind: 'mouse', isDown, button, isWithControl: modifiers?.includes('control') };
}

function knownButton(name: unknown): HeardMouse['button'] {
  return name === 'left' || name === 'middle' || name === 'right' ? name : 'other';
}

/**
 * Old releases name the buttons that are held, with the released one among them. With several, it is not known which
 * one this is.
 */
function buttonAmong(modifiers: readonly string[]): HeardMouse['button'] {
  if (modifiers.includes('rightbuttondown')) return 'right';
  if (modifiers.includes('middlebuttondown')) return 'middle';
  return modifiers.includes('leftbuttondown') ? 'left' : 'other';
}
