import type { RouteOutput } from '../ui/bridge.ts';
import { BridgeStore } from '../ui/bridge-store.svelte.ts';

export type Theme = RouteOutput<'app', 'app.theme'>;

/** Factors of the text size, as `app.setZoom` takes them. */
export const TEXT_SIZES = [0.9, 1, 1.1, 1.25, 1.5] as const;

/** How the window looks. Main stores it and applies it to every page. */
export class Appearance extends BridgeStore {
  theme = $state<Theme>('system');
  zoom = $state(1);

  async load(): Promise<void> {
    await this.attempted(async () => {
      this.theme = await this.bridge.request('app.theme', {});
      this.zoom = await this.bridge.request('app.zoom', {});
    });
  }

  /** Shows the choice immediately, and reverts it if main refuses. */
  async chooseTheme(theme: Theme): Promise<void> {
    const before = this.theme;
    this.theme = theme;
    const succeeded = await this.attempted(() => this.bridge.request('app.setTheme', { theme }));
    if (!succeeded && this.theme === theme) this.theme = before;
  }

  async chooseZoom(factor: number): Promise<void> {
    await this.attempted(async () => {
      this.zoom = await this.bridge.request('app.setZoom', { factor });
    });
  }

  /** The offered size closest to the current one, which can also be set from the menu. */
  get nearestSize(): number {
    return TEXT_SIZES.reduce((best, size) => (Math.abs(size - this.zoom) < Math.abs(best - this.zoom) ? size : best));
  }
}
