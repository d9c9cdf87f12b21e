import { updateFailureText } from '../../src-preload/contract/update-failure-text.ts';
import type { UpdatesView, updates } from '../../src-preload/contract/updates.ts';
import { type BackgroundPart, type SettingsPart, UpdateProblem } from '../services.ts';
import { UPDATE_CHECK_GRANT } from '../settings/permission-grants.ts';
import type { Desktop } from './desktop-port.ts';
import { externalUrl } from './external-url.ts';
import { needGesture } from './gesture.ts';
import type { Circumstances, Handlers } from './handlers.ts';
import { IpcError } from './ipc-error.ts';
import { declined, OneQuestion } from './one-question.ts';

export interface WindowUpdatesPorts {
  readonly services: SettingsPart & Pick<BackgroundPart, 'updates'>;
  readonly desktop: Pick<Desktop, 'takeGesture' | 'openExternal' | 'quit' | 'facts'>;
  readonly send: (view: UpdatesView) => void;
  /** Ends the question when the window closes. */
  readonly signal: AbortSignal;
}

/** New versions in a window: the page's requests, and what it is told. */
export class WindowUpdates {
  readonly handlers: Handlers<typeof updates>;
  readonly #ports: WindowUpdatesPorts;
  #isFollowed = false;

  constructor(ports: WindowUpdatesPorts) {
    this.#ports = ports;
    this.handlers = this.#handlersOf(ports);
    const { services } = ports;
    const followIfOn = () => {
      // A failure is told as a notice, see `LateUpdates`.
      if (services.config.updates.check) void this.#load().catch(() => undefined);
    };
    services.onChange(followIfOn);
    followIfOn();
  }

  /** The page was loaded again. */
  sendAgain(): void {
    void this.#ports.services.updates.loaded.then((loaded) => loaded && this.#ports.send(loaded.view));
  }

  stays(): void {
    void this.#ports.services.updates.loaded.then((loaded) => loaded?.stay());
  }

  /** See `WindowAssistant.installUpdate`. */
  async install(obstacle?: string): Promise<boolean> {
    return (await (await this.#ports.services.updates.loaded)?.install(obstacle)) ?? true;
  }

  async #load() {
    const { services, send } = this.#ports;
    const loaded = await services.updates.load();
    if (loaded === undefined || this.#isFollowed) return loaded;
    this.#isFollowed = true;
    loaded.onChange(() => send(loaded.view));
    send(loaded.view);
    return loaded;
  }

  async #view(): Promise<UpdatesView> {
    return (await this.#load())?.view ?? withoutReleases(this.#ports.desktop.facts.version);
  }

  /** What must be true before a copy with releases looks for one. */
  async #need(circumstances: Circumstances) {
    needGesture(this.#ports.desktop, circumstances);
    const loaded = await this.#load();
    if (loaded === undefined || loaded.view.host === null)
      throw new IpcError('no_releases', 'This copy of Steward was built from source. Update it there.');
    return { loaded, host: loaded.view.host };
  }

  #handlersOf({ services, desktop, signal }: WindowUpdatesPorts): Handlers<typeof updates> {
    const question = new OneQuestion('an update', signal);
    return {
      get: () => this.#view(),

      setOn: async ({ isOn }, circumstances) => {
        // Switched off, the notice is gone too, and a download.
        if (!isOn) needGesture(desktop, circumstances);
        const save = ({ updates: configured }: SettingsPart['config']) => ({ updates: { ...configured, check: isOn } });
        if (!isOn) {
          await services.settings.update(save);
          await (await services.updates.loaded)?.cancel();
        } else {
          const ask = () => services.grant(UPDATE_CHECK_GRANT, save, signal);
          await question.confirm(ask, 'Steward doesn’t look for new versions.');
        }
        return this.#view();
      },

      check: async (_none, circumstances) => {
        const { loaded } = await this.#need(circumstances);
        if (!loaded.view.isOn)
          throw new IpcError('updates_off', 'Switch on “Look for new versions” first: looking contacts a site.');
        await loaded.check();
        return loaded.view;
      },

      // A page must not hide that there is a new version.
      dismiss: async (_none, circumstances) => {
        const { loaded } = await this.#need(circumstances);
        await loaded.dismiss();
        return loaded.view;
      },

      download: async (_none, circumstances) => {
        const { loaded, host } = await this.#need(circumstances);
        if (loaded.isUnderWay) throw new IpcError('already_downloaded', 'A new version is being downloaded, or ready.');
        await question.run(async () => {
          const offer = await loaded.offer().catch((error: unknown) => {
            throw failed(error, host);
          });
          if (offer === null) {
            const { obstacle } = loaded.view;
            const why = obstacle === null ? 'There is no newer version to download.' : 'This copy can’t update itself.';
            throw new IpcError('nothing_to_download', why);
          }
          const { version, file } = offer;
          const value = { version, file: file.name, bytes: file.bytes, sha512: file.sha512, hosts: offer.hosts };
          const previous = { version: loaded.view.version };
          const item = { subject: 'update', key: 'Steward', value, previous } as const;
          if (!(await services.askForGrant(item, signal))) throw declined('Nothing was downloaded.');
          if (!loaded.view.isOn)
            throw new IpcError('updates_off', '“Look for new versions” was switched off. Nothing was downloaded.');
          await loaded.download(offer);
        });
        return loaded.view;
      },

      cancel: async () => {
        await (await services.updates.loaded)?.cancel();
        return this.#view();
      },

      restart: async (_none, circumstances) => {
        const { loaded } = await this.#need(circumstances);
        if (!loaded.installAtEnd()) throw new IpcError('nothing_to_install', 'No new version has been downloaded.');
        desktop.quit();
        return null;
      },

      openPage: async ({ page }, circumstances) => {
        const { loaded } = await this.#need(circumstances);
        const url = loaded.page(page);
        if (url === undefined) throw new IpcError('no_releases', 'These releases have no web page.');
        await desktop.openExternal(externalUrl(url));
        return null;
      },
    };
  }
}

function failed(error: unknown, host: string): unknown {
  if (!(error instanceof UpdateProblem)) return error;
  return new IpcError('update_failed', updateFailureText(error.failure, host));
}

function withoutReleases(version: string): UpdatesView {
  return {
    version,
    host: null,
    hasPages: false,
    isOn: false,
    isChecking: false,
    lastCheck: null,
    newer: null,
    obstacle: 'by_hand',
    download: { name: 'none' },
  };
}
