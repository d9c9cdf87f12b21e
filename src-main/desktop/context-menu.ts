import {
  type BrowserWindow,
  type ContextMenuParams,
  clipboard,
  Menu,
  type MenuItemConstructorOptions,
  shell as system,
  type WebContents,
} from 'electron';
import { type ContextAction, contextItems } from './context-menu-items.ts';
import type { SurfaceName } from './surface-files.ts';

export interface ContextMenuPorts {
  readonly window: BrowserWindow;
  /** Whether a user has just asked for a menu; counts once. */
  readonly isAskedFor: () => boolean;
  /** The user chose something that the page may do only after a click. */
  readonly onChosen: () => void;
  readonly openLink: (url: string) => void;
  /** Does the same as in the Edit menu. */
  readonly paste: (contents: WebContents) => void;
}

/** Native context menus over the pages, shown when a user asks for one. */
export class ContextMenus {
  readonly #ports: ContextMenuPorts;
  #open: Menu | undefined;

  constructor(ports: ContextMenuPorts) {
    this.#ports = ports;
  }

  /** Electron shows none by default. */
  serve(contents: WebContents, surface: SurfaceName): void {
    contents.on('context-menu', (_event, clicked) => {
      // A question's page offers only copying. The chat page may be compromised and must not open a menu without the
      // user.
      if (surface === 'app' && !this.#ports.isAskedFor()) return;
      const items = contextItems(surface, clicked).map((item): MenuItemConstructorOptions => {
        if (item === 'separator') return { type: 'separator' };
        if ('correction' in item)
          return { label: item.correction, click: () => contents.replaceMisspelling(item.correction) };
        const { action, label, isEnabled } = item;
        return { label, enabled: isEnabled, click: () => this.#act(action, contents, clicked) };
      });
      // The consent view has its own position; a menu without coordinates opens at the pointer.
      this.#popUp(items, surface === 'app' ? { x: clicked.x, y: clicked.y } : {});
    });
  }

  /** Shows the menu for a file known to main. `path` is absolute. */
  showForFile(path: string, canBeShown: boolean): void {
    this.#popUp(
      [
        { label: 'Copy Path', click: () => void clipboard.writeText(path) },
        { label: SHOW_IN_FOLDER, enabled: canBeShown, click: () => system.showItemInFolder(path) },
      ],
      {},
    );
  }

  /** A chat menu must not cover a question. */
  close(): void {
    this.#open?.closePopup(this.#ports.window);
    this.#open = undefined;
  }

  #popUp(items: MenuItemConstructorOptions[], place: { readonly x?: number; readonly y?: number }): void {
    const { window } = this.#ports;
    if (items.length === 0 || window.isDestroyed()) return;
    this.#open = Menu.buildFromTemplate(items);
    this.#open.popup({ window, ...place });
  }

  #act(action: ContextAction, contents: WebContents, { linkURL, x, y }: ContextMenuParams): void {
    const { onChosen, openLink, paste } = this.#ports;
    const actions: Readonly<Record<ContextAction, () => void>> = {
      'open-link': () => {
        onChosen();
        openLink(linkURL);
      },
      'copy-link': () => void clipboard.writeText(linkURL.replace(/^mailto:/i, '')),
      'copy-image': () => contents.copyImageAt(x, y),
      undo: () => contents.undo(),
      redo: () => contents.redo(),
      cut: () => contents.cut(),
      copy: () => contents.copy(),
      paste: () => paste(contents),
      delete: () => contents.delete(),
      'select-all': () => contents.selectAll(),
    };
    if (!contents.isDestroyed()) actions[action]();
  }
}

const SHOW_IN_FOLDER =
  { darwin: 'Show in Finder', win32: 'Show in Explorer' }[process.platform as string] ?? 'Show in Folder';
