import type { CallEffects } from '../../policy/access.ts';

/** What every write to memory touches. It asks while private text and text from outside are both in the conversation. */
export const memoryWrite: CallEffects = { access: [{ class: 'write', kind: 'app', memory: true }] };
