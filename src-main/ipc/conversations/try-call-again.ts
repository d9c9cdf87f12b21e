import type { EventOf, StoredEvent } from '../../../src-preload/contract/events.ts';
import { exactJson } from '../../../src-preload/contract/exact-json.ts';
import { needsSignInText, signInsOffered } from '../../../src-preload/contract/remedies.ts';
import type { ModelsPart, OpenedPrompt, ServersPart, ToolsPart } from '../../services.ts';
import { IpcError } from '../ipc-error.ts';

type Needed = Pick<ToolsPart, 'toolServices'> &
  Pick<ModelsPart, 'chooseModel'> &
  Pick<ServersPart, 'serversToSignIn' | 'mcpAccounts'>;

/**
 * The turn that repeats a call that lacked a folder or a sign-in, now that the user has seen to it. A model is told so
 * in the user's name and continues; calls by the user or the Guide are repeated unchanged. Either way the call passes
 * the gate like any other. Throws `IpcError` (`unknown_call`, `not_granted`, `not_signed_in`).
 */
export async function turnWithCallAgain(
  events: readonly StoredEvent[],
  callId: string,
  services: Needed,
): Promise<Pick<OpenedPrompt, 'command' | 'message'>> {
  const call = eventOf(events, 'tool_call', callId);
  const change = call === undefined ? undefined : await changeSince(events, callId, services);
  if (call === undefined || change === undefined)
    throw new IpcError('unknown_call', 'No call here lacked a folder or a sign-in.');
  if (call.calledBy === 'person' || (await services.chooseModel(undefined)).type === 'guide') {
    const { name, input } = call;
    const line = exactJson(input);
    return { command: { kind: 'tool', name, input: line }, message: sent(`/${name} ${line}`) };
  }
  const text = [change, 'Please try again.'].filter((part) => part !== '').join(' ');
  return { command: { kind: 'message', text }, message: sent(text) };
}

/** What the user did about what the call lacked; empty if that is not known, and undefined if it lacked nothing. */
async function changeSince(
  events: readonly StoredEvent[],
  callId: string,
  { toolServices, serversToSignIn, mcpAccounts }: Needed,
): Promise<string | undefined> {
  const folder = eventOf(events, 'decision', callId)?.grantableFolder;
  if (folder !== undefined) {
    if (toolServices.environment.files.contains(folder)) return `I granted the folder ${folder}.`;
    throw new IpcError('not_granted', `The folder ${folder} is not granted.`);
  }
  const offers = signInsOffered(eventOf(events, 'tool_result', callId)?.remedies);
  if (offers.length === 0) return undefined;
  const missing = offers.find(({ server }) => serversToSignIn.includes(server));
  if (missing !== undefined)
    throw new IpcError('not_signed_in', needsSignInText(missing.server), { remedies: [missing.remedy] });
  // A server that is off or was removed no longer needs a sign-in either.
  const isSignedIn = await Promise.all(offers.map(({ server }) => mcpAccounts.signIns.isSignedIn(server)));
  return isSignedIn.every(Boolean) ? `I signed in to ${offers.map(({ server }) => server).join(', ')}.` : '';
}

function eventOf<Type extends 'tool_call' | 'tool_result' | 'decision'>(
  events: readonly StoredEvent[],
  type: Type,
  callId: string,
): EventOf<Type> | undefined {
  return events.findLast(
    (event): event is StoredEvent & EventOf<Type> => event.type === type && 'id' in event && event.id === callId,
  );
}

function sent(text: string): OpenedPrompt['message'] {
  return { content: [{ type: 'text', text }] };
}
