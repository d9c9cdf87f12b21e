import type { ModelChoice } from '../../src-preload/contract/settings.ts';

/** Where what is said in a conversation goes while this model answers; `undefined`: nobody knows yet which does. */
export function whereItGoes(model: ModelChoice | undefined): string {
  if (model === undefined) return 'Conversations are kept on this computer.';
  if (model.sentTo === null)
    return `Conversations are kept on this computer. The ${model.label} runs here too, so no model is sent anything.`;
  return `Conversations are kept on this computer. ${sentLine(model.label, model.sentTo)}`;
}

/** Of a model that runs elsewhere. */
export function sentLine(label: string, sentTo: string): string {
  return `What you write, and what ${label} reads for you, is sent to ${sentTo}.`;
}
