import type { app } from '../../src-preload/contract/settings.ts';
import type { Desktop } from './desktop-port.ts';
import { externalUrl } from './external-url.ts';
import { needGesture } from './gesture.ts';
import type { Handlers } from './handlers.ts';

export function appHandlers(desktop: Desktop): Handlers<typeof app> {
  return {
    info: () => ({ ...desktop.facts, isFirstRun: desktop.isFirstRun() }),
    finishFirstRun: () => {
      desktop.finishFirstRun();
      return null;
    },
    openExternal: async ({ url }, circumstances) => {
      const checked = externalUrl(url);
      needGesture(desktop, circumstances);
      await desktop.openExternal(checked);
      return null;
    },
    setTheme: ({ theme }) => {
      desktop.setTheme(theme);
      return null;
    },
    theme: () => desktop.theme(),
    setZoom: ({ factor }) => desktop.setZoom(factor),
    zoom: () => desktop.zoom(),
  };
}
