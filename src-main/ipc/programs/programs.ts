import type { ProgramRow, ProgramsView, programs } from '../../../src-preload/contract/programs.ts';
import type { ProfilePart, SettingsPart } from '../../services.ts';
import { SOCKET_GRANT } from '../../settings/permission-grants.ts';
import type { Desktop } from '../desktop-port.ts';
import { needGesture } from '../gesture.ts';
import type { Handlers } from '../handlers.ts';
import { IpcError } from '../ipc-error.ts';
import { OneQuestion } from '../one-question.ts';
import { WindowPrograms, type WindowProgramsOptions } from './window-programs.ts';

export interface ProgramsPorts extends WindowProgramsOptions {
  readonly desktop: Pick<Desktop, 'takeGesture'>;
}

/** The socket for programs, and the page's requests about it. */
export function openPrograms(ports: ProgramsPorts): {
  readonly windowPrograms: WindowPrograms;
  readonly handlers: Handlers<typeof programs>;
} {
  const windowPrograms = new WindowPrograms(ports);
  return { windowPrograms, handlers: programsHandlers(ports, windowPrograms) };
}

function programsHandlers(
  { services, desktop, signal }: ProgramsPorts,
  windowPrograms: WindowPrograms,
): Handlers<typeof programs> {
  const { socket } = windowPrograms;
  const question = new OneQuestion('programs', signal);
  const view = (): ProgramsView => ({
    socket: socket.state,
    pausedSeconds: Math.ceil(socket.pausedMs / 1000),
    programs: rows(services, windowPrograms),
  });

  return {
    list: view,

    setOn: async ({ isOn }) => {
      const save = ({ clientTools }: SettingsPart['config']) => ({ clientTools: { ...clientTools, socket: isOn } });
      if (!isOn) await services.settings.update(save);
      else await question.confirm(() => services.grant(SOCKET_GRANT, save, signal), 'Programs still can’t connect.');
      await socket.setOpen(services.config.clientTools.socket);
      return view();
    },

    // Can't be undone: the program has to be paired again.
    revoke: ({ id }, circumstances) => {
      needGesture(desktop, circumstances);
      if (!socket.revoke(id)) throw new IpcError('unknown_program', 'This program is no longer paired.');
      return view();
    },

    endPause: (_none, circumstances) => {
      needGesture(desktop, circumstances);
      socket.endPause();
      return view();
    },

    inConversation: ({ conversationId }) => windowPrograms.in(conversationId),
  };
}

function rows({ storage }: ProfilePart, { socket }: WindowPrograms): ProgramRow[] {
  const { connected } = socket;
  return storage.pairedPrograms.list().map(({ id, name, version, pairedAt, lastUsedAt }) => {
    const own = connected.find((each) => each.id === id);
    const attachments = (own?.attachments ?? []).map(({ conversationId, groups }) => {
      const title = storage.conversations.get(conversationId)?.title ?? 'A deleted conversation';
      return { conversationId, title, groups };
    });
    return { id, name, version, pairedAt, lastUsedAt, connections: own?.connections ?? 0, attachments };
  });
}
