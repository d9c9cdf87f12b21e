import { z } from 'zod';
import type { AccessClass } from '../../src-preload/contract/access-class.ts';
import type { Mark } from '../../src-preload/contract/events.ts';
import type { AssessContext, AssessedCall } from '../tools/contract.ts';

/**
 * What a client sends, in camelCase of the tool catalogue's D.1, the same in `ask --client`, over the socket and within
 * the window. Everything is untrusted. Source: tool catalogue D.1, D.7, D.9.
 */

const ParametersSchema = z.record(z.string(), z.unknown());

/** Null counts as absent: many languages write every field. */
export function orDefault<Schema extends z.ZodType>(schema: Schema, otherwise: () => z.output<Schema>) {
  return schema.nullish().transform((given): z.output<Schema> => given ?? otherwise());
}

export const ClientTool = z.object({
  name: z.string(),
  description: z.string(),
  parametersSchema: orDefault(ParametersSchema, () => ({})),
  requiresPermission: orDefault(z.boolean(), () => false),
});
export type ClientTool = z.infer<typeof ClientTool>;

/** Either `content`, of at most 50 KB, or `url`. */
export const SkillDocument = z.object({
  id: z.string(),
  description: z.string(),
  content: z.string().nullish(),
  url: z.string().nullish(),
});
export type SkillDocument = z.infer<typeof SkillDocument>;

export const Skill = z.object({
  name: z.string(),
  description: z.string(),
  functionResult: z.string().nullish(),
  systemPrompt: z.string().nullish(),
  references: orDefault(z.array(z.object({ toolName: z.string(), toolsetName: z.string().nullish() })), () => []),
  documents: z.array(SkillDocument).nullish(),
});
export type Skill = z.infer<typeof Skill>;

export const ToolGroup = z.object({
  name: z.string(),
  description: z.string().nullish(),
  tools: z.array(ClientTool),
  skills: z.array(Skill).nullish(),
  functionResult: z.string().nullish(),
  systemPrompt: z.string().nullish(),
  startCollapsed: orDefault(z.boolean(), () => true),
});
export type ToolGroup = z.infer<typeof ToolGroup>;

export const ContextItem = z.object({
  description: z.string(),
  value: z.string(),
  /** The description by default. */
  key: z.string().nullish(),
});
export type ContextItem = z.infer<typeof ContextItem>;

export const RunInput = z.object({
  clientToolGroups: z.array(ToolGroup).nullish(),
  expandedContainers: z.array(z.string()).nullish(),
  hiddenTools: z.array(z.string()).nullish(),
  context: z.array(ContextItem).nullish(),
  state: z.unknown().optional(),
  resetClientState: orDefault(z.boolean(), () => false),
});
export type RunInput = z.infer<typeof RunInput>;

/** It is applied in the order of its fields, before the next request to the model. */
export const Augmentation = z.object({
  removeToolGroups: z.array(z.string()).nullish(),
  injectToolGroups: z.array(ToolGroup).nullish(),
  expandToolGroups: z.array(z.string()).nullish(),
  collapseToolGroups: z.array(z.string()).nullish(),
  hideTools: z.array(z.string()).nullish(),
  showTools: z.array(z.string()).nullish(),
  addContext: z.array(ContextItem).nullish(),
  removeContext: z.array(z.string()).nullish(),
  /** Replaces the state. */
  updateState: z.unknown().optional(),
  /** Merged into the state, unless `updateState` is given. */
  patchState: z.unknown().optional(),
});
export type Augmentation = z.infer<typeof Augmentation>;

export const ClientContent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('json'), value: z.unknown() }),
  /** `data` is Base64. */
  z.object({ type: z.literal('binary'), mimeType: z.string(), data: z.string(), filename: z.string().nullish() }),
]);
export type ClientContent = z.infer<typeof ClientContent>;

export const ClientResponse = z.object({
  requestId: z.string(),
  content: orDefault(z.array(ClientContent), () => []),
  success: orDefault(z.boolean(), () => true),
  errorMessage: z.string().nullish(),
  augmentation: Augmentation.nullish(),
});
export type ClientResponse = z.infer<typeof ClientResponse>;

/** Only Steward's own code gives an `outcome`; a program's message has no such field. */
export interface HostResponse extends ClientResponse {
  readonly outcome?: 'unanswered';
}

export interface ClientRequest {
  readonly requestId: string;
  readonly toolName: string;
  /** The model's id of the call. */
  readonly callId: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly description?: string;
}

/**
 * The other end of a client's connection: a program behind `ask --client` or the socket, or the window itself. It
 * answers with `ConversationClients.answer`, at any time and in any order, or never.
 */
export interface ClientHost {
  /** The name that it gives itself. Untrusted, unless `ownCode` is there. */
  readonly name: string;
  /** The id under which a program at the socket was paired. */
  readonly pairing?: string;
  /** With false, a call is answered as if the client had disconnected. */
  readonly isConnected: boolean;
  /** Only Steward's own code in this process has this. Its groups are not kept, because it registers them each time. */
  readonly ownCode?: OwnCode;
  request(request: ClientRequest): void;
  /** The answer is no longer wanted. */
  cancel(requestId: string): void;
}

/** What the policy may believe about a tool, because Steward made it. */
export interface OwnCode {
  /** The class that lists show. A program's tool has none: what it says of itself is only a claim. */
  classOf(tool: string): AccessClass;
  /** What a call would touch, as of `Tool.prepare(…).assess`. */
  effectsOf(
    tool: string,
    input: Readonly<Record<string, unknown>>,
    context: AssessContext,
  ): Promise<Pick<AssessedCall, 'access' | 'previews' | 'beforeImage'>>;
  /** Marks of the tool's result, besides those of its accesses. */
  marksOf(tool: string): readonly Mark[];
  /** Whether the call waits for a user, who takes as long as they want. */
  isPatient?(tool: string): boolean;
}
