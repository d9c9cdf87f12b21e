import { describe, expect, test } from 'vitest';
import { HumanInput } from '../../../src-main/desktop/human-input.ts';
import { OutsideClipboard } from '../../../src-main/desktop/outside-clipboard.ts';

type InputEvent = Parameters<HumanInput['heard']>[0];
type Button = 'left' | 'middle' | 'right' | 'back' | 'forward' | 'none';
type Modifier = NonNullable<InputEvent['modifiers']>[number];

interface MouseShape {
  readonly name: string;
  readonly of: (type: 'mouseDown' | 'mouseUp', button: Button, modifiers?: readonly Modifier[]) => InputEvent;
}

const HELD: Readonly<Partial<Record<Button, Modifier>>> = {
  left: 'leftbuttondown',
  middle: 'middlebuttondown',
  right: 'rightbuttondown',
};
/**
 * The shapes that the two lines of Electron send. Source: shell/common/gin_converters/blink_converter.cc of 33 and 45.
 */
const SHAPES: readonly MouseShape[] = [
  {
    name: 'Electron 33',
    of: (type, button, modifiers = []) => {
      const held = HELD[button];
      return { type, modifiers: held === undefined ? [...modifiers] : [...modifiers, held] };
    },
  },
  {
    name: 'Electron 45',
    of: (type, button) => {
      const place = { movementX: 0, movementY: 0, globalX: 300, globalY: 200, x: 30, y: 20 };
      return Object.assign({ type }, { clickCount: 1, button, ...place });
    },
  },
];

function key(name: string, held: readonly string[] = [], type: 'rawKeyDown' | 'keyUp' = 'rawKeyDown'): InputEvent {
  const is = (modifier: string) => held.includes(modifier);
  const fields = { control: is('control'), alt: is('alt'), meta: is('meta'), shift: is('shift'), isAutoRepeat: false };
  return Object.assign({ type }, { key: name, ...fields });
}

function listener(platform: NodeJS.Platform = 'linux', clipboard = '') {
  const human = new HumanInput(new OutsideClipboard(async () => clipboard), platform);
  const click = (shape: MouseShape, button: Button, modifiers?: readonly Modifier[]) => {
    human.heard(shape.of('mouseDown', button, modifiers));
    human.heard(shape.of('mouseUp', button, modifiers));
    const now = performance.now();
    return { isGesture: human.takeGesture(now), isMenuRequest: human.takeMenuRequest(now) };
  };
  return { human, click };
}

describe.each(SHAPES)('mouse events as $name sends them', (shape) => {
  test('a left click is a gesture, when it is released, once', () => {
    const { human, click } = listener();
    human.heard(shape.of('mouseDown', 'left'));
    expect(human.takeGesture(performance.now())).toBe(false);
    expect(click(shape, 'left')).toEqual({ isGesture: true, isMenuRequest: false });
    expect(human.takeGesture(performance.now())).toBe(false);
  });

  test('a right click asks for a menu and is no gesture', () => {
    expect(listener().click(shape, 'right')).toEqual({ isGesture: false, isMenuRequest: true });
  });

  test.each<Button>(['middle', 'back', 'forward', 'none'])('a click with the button %s is neither', (button) => {
    expect(listener().click(shape, button)).toEqual({ isGesture: false, isMenuRequest: false });
  });

  test('on macOS a click with Control asks for a menu', () => {
    const { human, click } = listener('darwin');
    human.heard(key('Control', ['control']));
    expect(click(shape, 'left', ['control'])).toEqual({ isGesture: false, isMenuRequest: true });
    human.heard(key('Control', [], 'keyUp'));
    expect(click(shape, 'left')).toEqual({ isGesture: true, isMenuRequest: false });
  });

  test('a key that was released in another window is not held any more', () => {
    const { human, click } = listener('darwin');
    human.heard(key('Control', ['control']));
    human.focusLeft();
    expect(click(shape, 'left')).toEqual({ isGesture: true, isMenuRequest: false });
  });

  test('on other systems the Control key makes no difference', () => {
    const { human, click } = listener('win32');
    human.heard(key('Control', ['control']));
    expect(click(shape, 'left', ['control'])).toEqual({ isGesture: true, isMenuRequest: false });
  });

  test('on Linux the middle button pastes, elsewhere it only moves the caret', async () => {
    for (const [platform, wrote] of [
      ['linux', true],
      ['darwin', false],
    ] as const) {
      const { human } = listener(platform);
      human.heard(shape.of('mouseDown', 'middle'));
      expect((await human.record()).isWritten).toBe(wrote);
    }
  });
});

test('an event that names no button is no gesture', () => {
  const { human } = listener();
  human.heard({ type: 'mouseUp' });
  human.heard({ type: 'mouseUp', modifiers: [] });
  expect(human.takeGesture(performance.now())).toBe(false);
});

test('a tap is a gesture, a long touch asks for a menu', () => {
  const { human } = listener();
  human.heard({ type: 'gestureTap', modifiers: [] });
  expect(human.takeGesture(performance.now())).toBe(true);
  human.heard({ type: 'gestureLongPress', modifiers: [] });
  expect(human.takeGesture(performance.now())).toBe(false);
  expect(human.takeMenuRequest(performance.now())).toBe(true);
});

test('Enter sends, the space bar and Shift+Enter write, and a key without a name is ignored', () => {
  const { human } = listener();
  human.heard(key('Enter'));
  expect(human.takeSending(performance.now())).toBe(true);
  human.heard(key(' '));
  expect(human.takeSending(performance.now())).toBe(false);
  human.heard(key('Enter', ['shift']));
  expect(human.takeSending(performance.now())).toBe(false);
  human.heard(key('Enter', [], 'keyUp'));
  human.heard({ type: 'keyDown' });
  expect(human.takeGesture(performance.now())).toBe(false);
});

test('the menu key and Shift+F10 ask for a menu', () => {
  const { human } = listener();
  human.heard(key('ContextMenu'));
  expect(human.takeMenuRequest(performance.now())).toBe(true);
  human.heard(key('F10', ['shift']));
  expect(human.takeMenuRequest(performance.now())).toBe(true);
  human.heard(key('F10'));
  expect(human.takeMenuRequest(performance.now())).toBe(false);
});
