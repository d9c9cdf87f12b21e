import type { conversations } from '../../../src-preload/contract/conversations.ts';
import type { EventOf, StoredEvent } from '../../../src-preload/contract/events.ts';
import type { Services } from '../../services.ts';
import type { Desktop } from '../desktop-port.ts';
import { needGesture } from '../gesture.ts';
import type { Handlers } from '../handlers.ts';
import { IpcError } from '../ipc-error.ts';
import { saveText } from '../save-text.ts';
import { fileOfCall } from './call-file.ts';
import { existingConversation } from './conversation-view.ts';
import { fileInResult } from './result-file.ts';

export interface ResultPorts {
  readonly services: Pick<Services, 'storage' | 'toolServices'>;
  readonly desktop: Pick<Desktop, 'chooseFileToSave' | 'showFileMenu' | 'takeGesture' | 'takeMenuRequest'>;
}

/** What can be done with the result of a call, and the file that it was about. */
export function resultHandlers({
  services,
  desktop,
}: ResultPorts): Pick<Handlers<typeof conversations>, 'fileMenu' | 'saveFile' | 'wholeResult'> {
  const eventsOf = (id: string) => services.storage.events.read(existingConversation(services, id).id);
  return {
    fileMenu: async ({ id, callId }, { receivedAt }) => {
      const conversation = existingConversation(services, id);
      if (!desktop.takeMenuRequest(receivedAt))
        throw new IpcError('no_gesture', 'A menu opens only when you open it yourself.');
      const { files } = services.toolServices.environment;
      const file = await fileOfCall(eventsOf(id), callId, conversation, files);
      if (file !== undefined) desktop.showFileMenu(file.path, file.canBeShown);
      return null;
    },

    saveFile: async ({ id, callId, part }, circumstances) => {
      const { name, bytes } = fileInResult(resultOf(eventsOf(id), callId), part);
      needGesture(desktop, circumstances);
      const path = await desktop.chooseFileToSave(name);
      if (path === null) return null;
      await saveText(path, bytes, 'The file');
      return { path };
    },

    wholeResult: ({ id, callId }) => ({ text: resultOf(eventsOf(id), callId).text }),
  };
}

function resultOf(events: readonly StoredEvent[], callId: string): EventOf<'tool_result'> {
  const result = events.findLast((event) => event.type === 'tool_result' && event.id === callId);
  if (result?.type !== 'tool_result') throw new IpcError('unknown_call', 'This call has no result.');
  return result;
}
