import { app, Menu, type MenuItemConstructorOptions } from 'electron';
import type { MenuKey } from './menu-keys.ts';
import type { Theme } from './window-memory.ts';

export type MenuCommand = 'new' | 'search' | 'settings' | 'stop';

export interface MenuActions {
  readonly quit: () => void;
  readonly command: (name: MenuCommand) => void;
  readonly theme: () => Theme;
  readonly setTheme: (theme: Theme) => void;
  /** Pastes where the focus is. */
  readonly paste: () => void;
  readonly showLog: () => void;
  /** Moves the focus to the question, or back. */
  readonly switchToQuestion: () => void;
  /** The zoom step, or back to 100 %. */
  readonly zoomBy: (step: number | 'reset') => void;
}

const ZOOM_STEP = 0.1;
const THEMES: readonly (readonly [Theme, string])[] = [
  ['system', 'Match System'],
  ['light', 'Light'],
  ['dark', 'Dark'],
];

/**
 * Returns the entries that main runs by key itself; the roles of Electron do what they do in the page that has the
 * focus.
 */
export function installMenu(actions: MenuActions): readonly MenuKey[] {
  const keys: MenuKey[] = [];
  const keyed = (accelerator: string, run: () => void) => {
    keys.push({ accelerator, run });
    return { accelerator, click: run };
  };
  const isMac = process.platform === 'darwin';
  const command = (name: MenuCommand, label: string, accelerator: string): MenuItemConstructorOptions => ({
    label,
    ...keyed(accelerator, () => actions.command(name)),
  });
  const settings = command('settings', 'Settings…', 'CmdOrCtrl+,');
  const template: MenuItemConstructorOptions[] = [
    ...(isMac ? [macAppMenu(settings, keyed('Cmd+Q', actions.quit))] : []),
    {
      label: '&File',
      submenu: [
        command('new', 'New Conversation', 'CmdOrCtrl+N'),
        command('search', 'Search Conversations', 'CmdOrCtrl+Shift+F'),
        ...(isMac
          ? [{ type: 'separator' } as const, { role: 'close' } as const]
          : [{ type: 'separator' } as const, settings, { label: 'Quit', ...keyed('Ctrl+Q', actions.quit) }]),
      ],
    },
    editMenu(isMac, actions.paste),
    {
      label: '&Assistant',
      submenu: [
        { label: 'Go to Question', ...keyed('F6', actions.switchToQuestion) },
        command('stop', 'Stop', 'CmdOrCtrl+.'),
      ],
    },
    {
      label: '&View',
      submenu: [
        { label: 'Larger Text', ...keyed('CmdOrCtrl+Plus', () => actions.zoomBy(ZOOM_STEP)) },
        {
          label: 'Larger Text',
          ...keyed('CmdOrCtrl+=', () => actions.zoomBy(ZOOM_STEP)),
          visible: false,
          acceleratorWorksWhenHidden: true,
        },
        { label: 'Smaller Text', ...keyed('CmdOrCtrl+-', () => actions.zoomBy(-ZOOM_STEP)) },
        { label: 'Normal Text', ...keyed('CmdOrCtrl+0', () => actions.zoomBy('reset')) },
        { type: 'separator' },
        {
          label: 'Appearance',
          submenu: THEMES.map(([theme, label]) => ({
            label,
            type: 'radio',
            checked: actions.theme() === theme,
            click: () => actions.setTheme(theme),
          })),
        },
        { type: 'separator' },
        { role: 'togglefullscreen' },
        ...(app.isPackaged
          ? []
          : [{ type: 'separator' } as const, { role: 'reload' } as const, { role: 'toggleDevTools' } as const]),
      ],
    },
    { role: 'windowMenu' },
    { role: 'help', submenu: [{ label: 'Show Log', click: actions.showLog }] },
  ];
  Menu.setApplicationMenu(Menu.buildFromTemplate(template));
  return keys;
}

/** Like Electron's default menu, except that pasting goes through main, which keeps a record of it. */
function editMenu(isMac: boolean, paste: () => void): MenuItemConstructorOptions {
  return {
    label: '&Edit',
    submenu: [
      { role: 'undo' },
      { role: 'redo' },
      { type: 'separator' },
      { role: 'cut' },
      { role: 'copy' },
      // The key is passed to the page, as with Electron's own entry.
      { label: 'Paste', accelerator: 'CmdOrCtrl+V', registerAccelerator: false, click: paste },
      { role: 'delete' },
      { type: 'separator' },
      { role: 'selectAll' },
      ...(isMac
        ? [{ type: 'separator' } as const, { role: 'startSpeaking' } as const, { role: 'stopSpeaking' } as const]
        : []),
    ],
  };
}

function macAppMenu(
  settings: MenuItemConstructorOptions,
  quit: MenuItemConstructorOptions,
): MenuItemConstructorOptions {
  return {
    label: app.name,
    submenu: [
      { role: 'about' },
      { type: 'separator' },
      settings,
      { type: 'separator' },
      { role: 'hide' },
      { role: 'hideOthers' },
      { role: 'unhide' },
      { type: 'separator' },
      { label: `Quit ${app.name}`, ...quit },
    ],
  };
}
