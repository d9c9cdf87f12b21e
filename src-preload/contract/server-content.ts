import { z } from 'zod';
import type { PromptMessage } from './events.ts';
import { ownRecord } from './own-record.ts';
import type { Remedy } from './remedies.ts';
import { request } from './route.ts';

/**
 * Resources and prompts of MCP servers, for the message being written. All texts of a server are untrusted; in those
 * that are only displayed, main has made invisible characters visible.
 */

const Name = z.string().min(1).max(1_000);
const Uri = z.string().min(1).max(100_000);
const Value = z.string().max(100_000);
const Values = ownRecord(Value, (name) => name.length <= 1_000);

export const ServerResourceAttachment = z.object({
  kind: z.literal('resource'),
  name: z.string().max(1_000),
  server: Name,
  /** Listed by the server, or returned by `content.fill`. */
  uri: Uri,
  /** The version that is sent, from `AttachedResource`. Without it, the resource is read when the message is sent. */
  version: z.uuid().optional(),
});

/** Limit for one message. */
export const MAX_ATTACHMENTS = 20;

/** A resource in the composer that its server is watched for. */
export interface AttachedResource {
  readonly conversationId: string | null;
  readonly server: string;
  readonly uri: string;
  /** The version that would be sent, or null if nothing was read yet. */
  readonly version: string | null;
  /** `updated` means that it was read again after a change, `changed` that reading it again needs the user. */
  readonly state: 'attached' | 'updated' | 'changed';
}

export const ServerPromptAttachment = z.object({
  kind: z.literal('prompt'),
  name: z.string().max(1_000),
  /** The id of a prepared prompt. */
  id: z.uuid(),
});

/** A value to fill in: a prompt's argument, or a variable of a resource template. */
export interface ContentField {
  readonly name: string;
  readonly title: string;
  readonly description: string | null;
  readonly isRequired: boolean;
}

export interface PromptRow {
  readonly server: string;
  readonly name: string;
  /** The line as typed, without the leading slash. */
  readonly line: string;
  readonly title: string;
  readonly description: string | null;
  readonly fields: readonly ContentField[];
}

export interface ResourceRow {
  readonly server: string;
  /** For a template, this is the template itself. */
  readonly uri: string;
  /** Its title, or its name if it has no title, or its URI if it has neither. */
  readonly title: string;
  readonly description: string;
  /** The variables of a template; `null` for a plain resource. */
  readonly fields: readonly ContentField[] | null;
}

export interface ResourceMatches {
  /** The best match first. */
  readonly rows: readonly ResourceRow[];
  /** How many more match. */
  readonly more: number;
  /** Servers whose resources are not known yet. */
  readonly silent: readonly string[];
}

/** `argument` is the field at fault, if there is one. */
export interface ContentProblem {
  readonly kind: 'problem';
  readonly argument: string | null;
  readonly message: string;
  /** Empty if trying again is the only option. */
  readonly remedies: readonly Remedy[];
}

export interface PreparedPrompt {
  readonly kind: 'prepared';
  readonly id: string;
  readonly server: string;
  readonly name: string;
  /** The first messages, with the start of each text. */
  readonly messages: readonly PromptMessage[];
  readonly count: number;
}

export const content = {
  /**
   * All resources in the composer of this conversation. They replace those of the last request, and `resource` events
   * report on them.
   */
  attached: request(
    z.object({
      id: z.uuid().nullable(),
      resources: z.array(z.object({ server: Name, uri: Uri })).max(MAX_ATTACHMENTS),
    }),
  ).returns<null>(),
  /** Reads an attached resource again. May ask in the consent surface. */
  readAgain: request(z.object({ server: Name, uri: Uri })).returns<null>(),
  /** Resources of the servers that are ready. */
  resources: request(z.object({ query: z.string().max(200) })).returns<ResourceMatches>(),
  prompts: request(z.object({})).returns<readonly PromptRow[]>(),
  /** Completions for a field, best first. The server is sent only what the user wrote. */
  complete: request(
    z.object({
      server: Name,
      of: z.discriminatedUnion('kind', [
        z.object({ kind: z.literal('prompt'), name: Name }),
        z.object({ kind: z.literal('template'), uriTemplate: Uri }),
      ]),
      argument: z.object({ name: Name, value: Value }),
      given: Values,
    }),
  ).returns<readonly string[]>(),
  /** Expands a template to a resource. */
  fill: request(z.object({ server: Name, uriTemplate: Uri, values: Values })).returns<
    { readonly kind: 'filled'; readonly uri: string } | ContentProblem
  >(),
  /** Has a server create a message from its prompt for the conversation `id`. The consent surface may ask first. */
  prompt: request(z.object({ id: z.uuid().nullable(), server: Name, name: Name, values: Values })).returns<
    PreparedPrompt | ContentProblem
  >(),
};
