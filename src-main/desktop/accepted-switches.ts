import { visible } from '../base/text.ts';

const ANY = /^/;
/**
 * Names of features, without parameters: those of the window, and one of sharing the screen that desktops set for all
 * of Chromium's kind.
 */
const WINDOW_FEATURES =
  /^(?:(?:UseOzonePlatform|Wayland[A-Za-z0-9]*|CalculateNativeWinOcclusion|WebRTCPipeWireCapturer)(?:,|$))+$/;
/** `headless` is left out, because Electron ends at once with it. */
const OZONE_PLATFORM = /^(?:x11|wayland|auto)$/;

/**
 * The switches that a packaged app starts with, and their values: its own, and those with which a user makes the window
 * fit a display, a graphics driver or an input method. All others are refused, because most of Chromium's weaken what
 * Steward promises: debuggers, processes without their sandbox, programs around a process, logs of what pages do, a
 * network for pages. Fuses don't cover them. Source: https://www.electronjs.org/docs/latest/api/command-line-switches
 */
const ACCEPTED: Readonly<Record<string, RegExp>> = {
  profile: ANY,
  workspace: ANY,
  // This comes from the Windows installer, and from Windows when a notification is clicked.
  updated: ANY,
  Embedding: ANY,
  // These are about display and text.
  'ozone-platform': OZONE_PLATFORM,
  'ozone-platform-hint': OZONE_PLATFORM,
  'gtk-version': ANY,
  // Desktops set these, with the file dialogs that they bring.
  'xdg-portal-required-version': /^\d+$/,
  display: ANY,
  class: ANY,
  lang: ANY,
  'enable-wayland-ime': ANY,
  'wayland-text-input-version': ANY,
  'enable-features': WINDOW_FEATURES,
  'disable-features': WINDOW_FEATURES,
  'force-device-scale-factor': ANY,
  'force-color-profile': ANY,
  'force-dark-mode': ANY,
  'force-high-contrast': ANY,
  'force-prefers-reduced-motion': ANY,
  'force-renderer-accessibility': ANY,
  'high-dpi-support': ANY,
  'disable-lcd-text': ANY,
  'disable-smooth-scrolling': ANY,
  'touch-events': ANY,
  // These are about graphics.
  'disable-gpu': ANY,
  'disable-gpu-compositing': ANY,
  'disable-gpu-rasterization': ANY,
  'disable-software-rasterizer': ANY,
  'enable-gpu-rasterization': ANY,
  'enable-zero-copy': ANY,
  'disable-d3d11': ANY,
  'disable-direct-composition': ANY,
  'ignore-gpu-blocklist': ANY,
  'use-gl': ANY,
  'use-angle': ANY,
  'disable-dev-shm-usage': ANY,
  // How Chromium encrypts its own files.
  'password-store': ANY,
};

/**
 * Chromium accepts one dash or two, and on Windows a slash; it ignores space around an argument, on Windows also
 * U+0085.
 */
const SWITCH = /^\s*--?([^\s=-][^=]*?)\s*(?:=(.*))?$/s;
const SWITCH_ON_WINDOWS = /^[\s\u0085]*(?:--?|\/)([^\s=-][^=]*?)\s*(?:=(.*))?$/s;
/** Matches what macOS gives programs that are started in Finder. */
const PROCESS_SERIAL_NUMBER = /^-psn_\d+_\d+$/;

/**
 * Switches of Chromium that take the sandbox from its processes. They have an error of their own, as systems set them
 * too.
 */
export const UNSANDBOXED = ['no-sandbox', 'no-zygote-sandbox', 'disable-seccomp-filter-sandbox', 'single-process'];

/** The first switch that a packaged app doesn't start with, without its value; those of `UNSANDBOXED` aside. */
export function refusedSwitch(argv: readonly string[], platform: NodeJS.Platform): string | undefined {
  const pattern = platform === 'win32' ? SWITCH_ON_WINDOWS : SWITCH;
  for (const argument of argv) {
    const [, name, value = ''] = pattern.exec(argument) ?? [];
    if (name === undefined || UNSANDBOXED.includes(name) || PROCESS_SERIAL_NUMBER.test(argument)) continue;
    const accepted = Object.hasOwn(ACCEPTED, name) ? ACCEPTED[name] : undefined;
    if (accepted?.test(value) !== true) return `--${name}`;
  }
  return undefined;
}

export class RefusedSwitchError extends Error {
  override readonly name = 'RefusedSwitchError';

  constructor(refused: string) {
    super(
      `It was started with ${visible(refused)}. Besides --profile and --workspace, it accepts only Chromium’s switches for the display and the graphics driver: with others, another program could read along or answer questions for you.`,
    );
  }
}

/** A page would have the user's own rights. */
export class NoSandboxError extends Error {
  override readonly name = 'NoSandboxError';
  readonly isAppImage: boolean;

  constructor(cause: string, isAppImage: boolean) {
    super(`Chromium's sandbox is switched off (--${cause}).`);
    this.isAppImage = isAppImage;
  }
}
