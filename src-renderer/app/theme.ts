import type { Bridge } from '../ui/bridge.ts';
import { reported } from '../ui/reported.ts';

export type Theme = 'system' | 'light' | 'dark';

/** By default the tokens follow the desktop's theme; a chosen theme is set on the root element. */
export function showTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

/** Shows the chosen theme, now and whenever settings change. */
export async function followTheme(bridge: Bridge): Promise<void> {
  const read = async () => {
    const theme = await reported(bridge.request('app.theme', {}));
    if (theme !== undefined) showTheme(theme);
  };
  bridge.on('settingsChanged', () => void read());
  await read();
}
