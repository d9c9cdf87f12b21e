import type { app } from '../../src-preload/contract/settings.ts';
import type { ConsentQueue } from './consent/consent-queue.ts';
import type { Desktop } from './desktop-port.ts';
import { needGesture } from './gesture.ts';
import type { Handlers } from './handlers.ts';
import { KEY_PAGES, VENDOR_PAGES } from './vendor-pages.ts';

export interface AppPorts {
  readonly desktop: Desktop;
  readonly questions: Pick<ConsentQueue, 'composerShown' | 'takeUp'>;
  /** Called with the conversation that the window shows, or with null if it shows none. */
  readonly onConversationShown: (conversationId: string | null) => void;
  /** The height in CSS pixels of the chat. */
  readonly onComposerHeight: (height: number, room: number | undefined) => void;
  readonly onMessageField: (isFree: boolean) => void;
}

export function appHandlers({
  desktop,
  questions,
  onComposerHeight,
  onConversationShown,
  onMessageField,
}: AppPorts): Handlers<typeof app> {
  return {
    info: () => ({
      ...desktop.facts,
      isFirstRun: desktop.isFirstRun(),
      logFile: desktop.session.logFile,
      crashDumps: desktop.session.crashDumps() ?? null,
    }),
    showLog: async (_input, circumstances) => {
      needGesture(desktop, circumstances);
      await desktop.session.showLog();
      return null;
    },
    finishFirstRun: () => {
      desktop.finishFirstRun();
      return null;
    },
    openKeyPage: async ({ name }, circumstances) => {
      needGesture(desktop, circumstances);
      await desktop.openExternal(KEY_PAGES[name]);
      return null;
    },
    openVendorPage: async ({ page }, circumstances) => {
      needGesture(desktop, circumstances);
      await desktop.openExternal(VENDOR_PAGES[page]);
      return null;
    },
    setTheme: ({ theme }) => {
      desktop.setTheme(theme);
      return null;
    },
    theme: () => desktop.theme(),
    setZoom: ({ factor }) => desktop.setZoom(factor),
    zoom: () => desktop.zoom(),
    composer: ({ conversationId, height, room }) => {
      if (conversationId !== null) onComposerHeight(height, room);
      questions.composerShown(conversationId);
      onConversationShown(conversationId);
      return null;
    },
    messageField: ({ isFree }) => {
      onMessageField(isFree);
      return null;
    },
    takeUpQuestion: ({ conversationId }) => {
      questions.takeUp(conversationId);
      return null;
    },
  };
}
