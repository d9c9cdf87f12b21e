import { needsSignInText, signInRemedy } from '../../../src-preload/contract/remedies.ts';
import type { PromptLine } from '../../assistant/prompt-line.ts';
import {
  type ModelsPart,
  type ReadPrompt,
  readPrompt,
  type ServersPart,
  type SettingsPart,
  serverPromptIn,
  type ToolsPart,
  type TurnRequest,
  type UnknownCall,
  unknownCall,
} from '../../services.ts';
import type { Desktop } from '../desktop-port.ts';
import { IpcError } from '../ipc-error.ts';
import { runnable } from './command-answers.ts';

export interface SentPrompt {
  readonly prompt: ReadPrompt;
  readonly command: TurnRequest['command'];
}

/**
 * What a text in the composer means. Throws `IpcError` (`unusable_command`, `unknown_command`, `not_signed_in`) if it
 * means nothing here; the text stays in the composer.
 */
export async function readSentPrompt(
  { id, text, attached }: { readonly id: string | null; readonly text: string; readonly attached: readonly string[] },
  services: SettingsPart & ServersPart & ModelsPart & ToolsPart,
  desktop: Pick<Desktop, 'session'>,
): Promise<SentPrompt> {
  const prompt = readPrompt(text, attached);
  const command = runnable(prompt.command, services, id, desktop);
  if (command === undefined) throw new IpcError('unusable_command', unusableText(prompt.command));
  const unknown = await unknownCall(prompt, services, id);
  if (unknown !== undefined) throw unknownCommand(unknown);
  const ofServer = serverPromptIn(prompt, services.serverContents.servers);
  if (ofServer !== undefined) throw unchosenPrompt(ofServer, services);
  return { prompt, command };
}

/** A prompt that was written instead of chosen: a server that needs a sign-in lists none. */
function unchosenPrompt({ server }: PromptLine, { serversToSignIn }: Pick<ServersPart, 'serversToSignIn'>): IpcError {
  if (serversToSignIn.includes(server))
    return new IpcError('not_signed_in', needsSignInText(server), { remedies: [signInRemedy(server)] });
  return new IpcError('unusable_command', `Type /${server}/ and choose the prompt in the list.`);
}

function unknownCommand({ name, meant }: UnknownCall): IpcError {
  const probably = meant === undefined ? '' : ` Did you mean /${meant}?`;
  return new IpcError(
    'unknown_command',
    `There is no command or tool /${name}.${probably} Type / to see what there is. To send this as text, put a word before it.`,
  );
}

function unusableText(command: { readonly kind: string; readonly message?: string }): string {
  if (command.message !== undefined) return command.message;
  if (command.kind === 'undo') return 'In the window, press Undo on a call, or Undo this turn below the answer.';
  if (command.kind === 'redo') return 'In the window, press Redo on a call that was undone.';
  if (command.kind === 'review') return 'In the window, press Review changes above this field, if there are any.';
  if (command.kind === 'help')
    return 'Type / to see the commands and tools. Everything else is in Settings and the menu.';
  return 'This command is for the terminal. In the window, Settings and the menu do the same. To send text that begins with a slash, put another word first.';
}
