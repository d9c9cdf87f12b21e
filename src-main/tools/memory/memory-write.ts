import type { Assessment } from '../define-tool.ts';

/** What every write to memory touches. It asks while text from outside is in the conversation. */
export async function memoryWrite<Input>(input: Input): Promise<Assessment<Input>> {
  return { access: [{ class: 'write', kind: 'app', memory: true }], plan: input };
}
