import type {
  ConnectionTest,
  ServerForm,
  ServerPage,
  ServerRow,
  ServerText,
} from '../../../src-preload/contract/servers.ts';
import type { ToolClass } from '../../../src-preload/contract/tool-class.ts';
import { sentenceOf } from '../../ui/bridge.ts';
import { toasts } from '../../ui/toasts.svelte.ts';
import { ViewStore } from '../view-store.svelte.ts';

/** The MCP servers as reported by main. A change is about `add`, `enable:files`. */
export class ServersStore extends ViewStore<readonly ServerRow[]> {
  /** The open page of a server. */
  page = $state.raw<ServerPage | null>(null);
  #opened: string | null = null;

  get rows(): readonly ServerRow[] | null {
    return this.view;
  }

  /** Loads, and follows main until the returned function is called. */
  start(): () => void {
    void this.load();
    const ends = [
      this.bridge.on('servers', ({ rows }) => this.#take(rows)),
      this.bridge.on('settingsChanged', () => void this.#loadPage()),
    ];
    return () => {
      for (const end of ends) end();
    };
  }

  protected override ask(): Promise<readonly ServerRow[]> {
    return this.bridge.request('servers.list', {});
  }

  /** Whether the user can see resource usage. */
  async watched(isWatched: boolean): Promise<void> {
    // If it fails, only memory and processor usage are missing.
    await this.bridge.request('servers.watch', { isWatched }).catch(() => undefined);
  }

  /** `null` closes the page. */
  async open(name: string | null): Promise<void> {
    this.#opened = name;
    this.page = null;
    await this.#loadPage();
  }

  add(form: ServerForm): Promise<boolean> {
    return this.#changed('add', () => this.bridge.request('servers.add', { form }));
  }

  /** `opened` is the form as it was filled at first. */
  save(form: ServerForm, opened: ServerForm): Promise<boolean> {
    return this.#changed('save', () => this.bridge.request('servers.change', { form, opened }));
  }

  /** `undefined` if it failed; `refusal` has the reason. */
  async test(form: ServerForm, isSaved: boolean): Promise<ConnectionTest | undefined> {
    let test: ConnectionTest | undefined;
    await this.#changed('test', async () => {
      test = await this.bridge.request('servers.test', { form, isSaved });
    });
    return test;
  }

  setEnabled(name: string, isEnabled: boolean): Promise<boolean> {
    return this.#changed(`enable:${name}`, () => this.bridge.request('servers.setEnabled', { name, isEnabled }));
  }

  restart(name: string): Promise<boolean> {
    return this.#changed(`restart:${name}`, () => this.bridge.request('servers.restart', { name }));
  }

  confirm(name: string): Promise<boolean> {
    return this.#changed(`confirm:${name}`, () => this.bridge.request('servers.confirm', { name }));
  }

  review(name: string): Promise<boolean> {
    return this.#changed(`review:${name}`, () => this.bridge.request('servers.review', { name }));
  }

  setClass(name: string, tool: string, given: ToolClass | null): Promise<boolean> {
    return this.#changed(`class:${tool}`, () => this.bridge.request('servers.setClass', { name, tool, class: given }));
  }

  setText(name: string, text: ServerText): Promise<boolean> {
    return this.#changed('text', () => this.bridge.request('servers.setText', { name, text }));
  }

  setToolEnabled(registered: string, isEnabled: boolean): Promise<boolean> {
    return this.#changed(`tool:${registered}`, () =>
      this.bridge.request('settings.setToolEnabled', { name: registered, isEnabled }),
    );
  }

  revokeRule(id: string): Promise<boolean> {
    return this.#changed(`rule:${id}`, () => this.bridge.request('settings.revokeRule', { id }));
  }

  /** Shows a notice with an undo button. */
  async remove(name: string): Promise<boolean> {
    return this.#changed(`remove:${name}`, async () => {
      const { undoId } = await this.bridge.request('servers.remove', { name });
      if (this.#opened === name) this.#opened = null;
      toasts.show(`“${name}” was removed.`, { label: 'Undo', run: () => void this.#undo(undoId) });
    });
  }

  async #undo(undoId: string): Promise<void> {
    try {
      this.view = await this.bridge.request('servers.undoRemoval', { undoId });
    } catch (error) {
      toasts.fail(sentenceOf(error));
    }
  }

  #take(rows: readonly ServerRow[]): void {
    this.view = rows;
    const row = rows.find(({ name }) => name === this.#opened);
    if (this.page === null || row === undefined) return;
    const isSame = JSON.stringify(withoutUse(row)) === JSON.stringify(withoutUse(this.page.row));
    this.page = { ...this.page, row };
    if (!isSame) void this.#loadPage();
  }

  async #loadPage(): Promise<void> {
    const name = this.#opened;
    if (name === null) return;
    try {
      const page = await this.bridge.request('servers.page', { name });
      if (this.#opened === name) this.page = page;
    } catch (error) {
      // The server was removed, so the list no longer has it either.
      if (this.#opened === name) this.failure = sentenceOf(error);
    }
  }

  /** Resolves with true if it took effect. */
  #changed(about: string, work: () => Promise<unknown>): Promise<boolean> {
    return this.attempt(about, async () => {
      await work();
      await Promise.all([this.load(), this.#loadPage()]);
    });
  }
}

/** Usage changes constantly. */
function withoutUse({ usage: _, ...row }: ServerRow): Omit<ServerRow, 'usage'> {
  return row;
}
