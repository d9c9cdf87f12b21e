import { NOTHING_NAMED, type StoredEvent } from '../../src-preload/contract/events.ts';
import type { Services, TurnRequest } from '../services.ts';
import { IpcError } from './ipc-error.ts';

/**
 * The turn that repeats a call that was refused because of a folder, now that the folder is granted. A model is told about the grant in the
 * person's name and continues; calls by the person or the Guide are repeated unchanged. Either way the call passes the gate like any other. Throws
 * `IpcError` (`unknown_call`, `not_granted`).
 */
export async function turnWithFolder(
  events: readonly StoredEvent[],
  callId: string,
  { toolServices, chooseModel }: Pick<Services, 'toolServices' | 'chooseModel'>,
): Promise<Pick<TurnRequest, 'command' | 'message'>> {
  const decision = events.findLast((event) => event.type === 'decision' && event.id === callId);
  const call = events.findLast((event) => event.type === 'tool_call' && event.id === callId);
  const folder = decision?.type === 'decision' ? decision.grantableFolder : undefined;
  if (folder === undefined || call?.type !== 'tool_call')
    throw new IpcError('unknown_call', 'No call here was refused because of a folder.');
  if (!toolServices.environment.files.contains(folder))
    throw new IpcError('not_granted', `The folder ${folder} is not granted.`);
  if (call.calledBy === 'person' || (await chooseModel(undefined)).type === 'guide') {
    const { name, input } = call;
    const line = JSON.stringify(input);
    return { command: { kind: 'tool', name, input: line }, message: sent(`/${name} ${line}`) };
  }
  const text = `I granted the folder ${folder}. Please try again.`;
  return { command: { kind: 'message', text }, message: sent(text) };
}

/** Pressing the button names the folder, but no address. */
function sent(text: string): TurnRequest['message'] {
  return { content: [{ type: 'text', text }], named: NOTHING_NAMED };
}
