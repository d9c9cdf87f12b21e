import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { WatchClock } from '../../../src-main/background/updates/release-watch.ts';
import type { UpdateProgram, UpdateWay } from '../../../src-main/background/updates/update-program.ts';
import { Updates } from '../../../src-main/background/updates/updates.ts';
import { createHttpClient } from '../../../src-main/network/http-client.ts';
import { ReleaseServer } from '../../fixtures/release-server.ts';

const HOUR = 3_600_000;
export const BY_HAND: UpdateWay = { obstacle: 'by_hand' };

/** An app that looks for new versions at a server on this machine; time passes when told. */
export class UpdatesRig {
  readonly folder = mkdtempSync(join(tmpdir(), 'steward-updates-'));
  readonly profile = join(this.folder, 'profile');
  readonly feedFile = join(this.folder, 'app-update.yml');
  readonly notices: string[] = [];
  readonly server: ReleaseServer;
  isOn = true;
  #now = Date.parse('2031-03-04T08:00:00Z');
  #hourly: (() => void)[] = [];

  private constructor(server: ReleaseServer) {
    this.server = server;
    mkdirSync(this.profile);
    writeFileSync(this.feedFile, server.feed);
    onTestFinished(async () => {
      await server.close();
      rmSync(this.folder, { recursive: true, force: true });
    });
  }

  static async make(): Promise<UpdatesRig> {
    return new UpdatesRig(await ReleaseServer.start());
  }

  program(way: UpdateWay = BY_HAND): UpdateProgram {
    const place = { platform: 'linux', arch: 'x64' } as const;
    return { version: '0.1.0', place, feedFile: this.feedFile, isForEvaluation: false, way };
  }

  /** Opens, and waits for a check that is due. */
  async open(program: UpdateProgram = this.program()): Promise<Updates> {
    const http = createHttpClient();
    const updates = await Updates.open({
      program,
      http,
      profileDirectory: this.profile,
      clock: this.#clock,
      isOn: () => this.isOn,
      notify: ({ code }) => void this.notices.push(code),
    });
    onTestFinished(async () => {
      await updates.close();
      await http.close();
    });
    await this.#settled(updates);
    return updates;
  }

  async pass(hours: number, updates: Updates): Promise<void> {
    for (let hour = 0; hour < hours; hour++) {
      this.#now += HOUR;
      for (const callback of this.#hourly) callback();
      await this.#settled(updates);
    }
  }

  setClock(iso: string): void {
    this.#now = Date.parse(iso);
  }

  async #settled(updates: Updates): Promise<void> {
    // Joins the one that is running.
    if (updates.view.isChecking) await updates.check();
  }

  get #clock(): WatchClock {
    return {
      now: () => this.#now,
      every: (_ms, callback) => {
        this.#hourly.push(callback);
        return () => {
          this.#hourly = this.#hourly.filter((each) => each !== callback);
        };
      },
    };
  }
}
