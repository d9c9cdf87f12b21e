import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Listener } from '../../src-main/assistant/conversation-log.ts';
import { unattendedConsent } from '../../src-main/headless/flag-consent.ts';
import type { ConsentPort } from '../../src-main/policy/consent.ts';
import { type Services, startServices, type TurnRequest } from '../../src-main/services.ts';
import type { TurnStopReason } from '../../src-preload/contract/events.ts';

export interface RunningAssistant {
  readonly services: Services;
  readonly workspace: string;
  readonly signal: AbortSignal;
  newConversation(): string;
  /** One turn in a conversation of its own, so that no run reads what another one left. */
  turn(command: TurnRequest['command'], listener: Listener): Promise<TurnStopReason>;
  stop(): Promise<void>;
}

export interface AssistantOptions {
  /** Default: an empty folder. */
  readonly workspace?: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly config?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
  /** Default: nobody answers, so what would ask is denied. */
  readonly consent?: ConsentPort;
  /** Default: there is no browser. */
  readonly openUrl?: (url: string) => Promise<void>;
}

/** Everything that `ask` stands on, on a profile of its own. */
export async function startAssistant(options: AssistantOptions = {}): Promise<RunningAssistant> {
  const base = mkdtempSync(join(tmpdir(), 'steward-bench-'));
  const profileDirectory = join(base, 'profile');
  const workspace = options.workspace ?? join(base, 'workspace');
  for (const folder of [profileDirectory, workspace]) mkdirSync(folder, { recursive: true });
  for (const [name, content] of Object.entries(options.files ?? {})) writeFileSync(join(workspace, name), content);
  writeFileSync(join(profileDirectory, 'config.json'), JSON.stringify(options.config ?? {}));
  const { signal } = new AbortController();
  const services = await startServices({
    profileDirectory,
    launchDirectory: base,
    workspace,
    env: { ...bareEnvironment(base), ...options.env },
    consent: options.consent ?? unattendedConsent(),
    signal,
    ...(options.openUrl === undefined ? {} : { openUrl: options.openUrl }),
  });
  const notices = services.takeNotices();
  if (notices.length > 0) throw new Error(`The assistant did not start cleanly: ${JSON.stringify(notices)}`);
  return {
    services,
    workspace,
    signal,
    newConversation: () => services.storage.conversations.create({ workspace, model: 'bench' }).id,
    turn: async (command, listener) => {
      const text = command.kind === 'message' ? command.text : '';
      const turn = await services.openPrompt({
        command,
        message: { content: text === '' ? [] : [{ type: 'text', text }] },
        origin: { by: 'user', typed: text, pasted: '' },
        conversation: null,
        title: 'bench',
        model: undefined,
      });
      return turn.run({ signal, listener });
    },
    stop: async () => {
      await services.close();
      rmSync(base, { recursive: true, force: true });
    },
  };
}

/** Nothing of the developer's own: no keys, no bus, no npm. */
export function bareEnvironment(home: string): Record<string, string> {
  return { HOME: home, PATH: process.env.PATH ?? '', LANG: 'C.UTF-8' };
}
