import type { ModelChoice } from '../../src-preload/contract/settings.ts';

/**
 * The place to which conversation text is sent while this model answers, or undefined if the model is not known yet.
 */
export function whereItGoes(model: ModelChoice | undefined): string {
  if (model === undefined) return 'Conversations are kept on this computer.';
  if (model.sentTo === null)
    return `Conversations are kept on this computer. The ${model.label} runs here too, so no model is sent anything.`;
  return `Conversations are kept on this computer. ${sentLine(model.label, model.sentTo)}`;
}

/** The line for a model that runs elsewhere. */
export function sentLine(label: string, sentTo: string): string {
  return `What you write, and what ${label} reads for you, is sent to ${sentTo}.`;
}
