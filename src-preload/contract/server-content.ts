import { z } from 'zod';
import type { PromptMessage } from './events.ts';
import { request } from './route.ts';

/**
 * Resources and prompts of MCP servers, for the message that is being written. All texts of a server are untrusted; in those that are
 * only shown, main has replaced what nobody sees.
 */

const Name = z.string().min(1).max(1_000);
const Uri = z.string().min(1).max(100_000);
const Value = z.string().max(100_000);
const Values = z.record(z.string().max(1_000), Value);

export const ServerResourceAttachment = z.object({
  kind: z.literal('resource'),
  name: z.string().max(1_000),
  server: Name,
  /** Listed by the server, or filled in by `content.fill`. Read when the message is sent. */
  uri: Uri,
});

export const ServerPromptAttachment = z.object({
  kind: z.literal('prompt'),
  name: z.string().max(1_000),
  /** Of a prepared prompt. */
  id: z.uuid(),
});

/** Something to fill in: a prompt's argument, or a variable of a resource template. */
export interface ContentField {
  readonly name: string;
  readonly title: string;
  readonly description: string | null;
  readonly isRequired: boolean;
}

export interface PromptRow {
  readonly server: string;
  readonly name: string;
  /** As it is typed, without the slash in front. */
  readonly line: string;
  readonly title: string;
  readonly description: string | null;
  readonly fields: readonly ContentField[];
}

export interface ResourceRow {
  readonly server: string;
  /** Of a template, the template. */
  readonly uri: string;
  /** Its title, its name, or else its address. */
  readonly title: string;
  readonly description: string;
  /** What is to be filled in first; `null`: it is a resource as it is. */
  readonly fields: readonly ContentField[] | null;
}

export interface ResourceMatches {
  /** Best first. */
  readonly rows: readonly ResourceRow[];
  /** How many more match. */
  readonly more: number;
  /** Servers that have not said what they have. */
  readonly silent: readonly string[];
}

/** `argument`: the field that it is about, if it is one. */
export interface ContentProblem {
  readonly kind: 'problem';
  readonly argument: string | null;
  readonly message: string;
}

export interface PreparedPrompt {
  readonly kind: 'prepared';
  readonly id: string;
  readonly server: string;
  readonly name: string;
  /** The first of them, with the start of each text. */
  readonly messages: readonly PromptMessage[];
  readonly count: number;
}

export const content = {
  /** Of the servers that are ready. */
  resources: request(z.object({ query: z.string().max(200) })).returns<ResourceMatches>(),
  prompts: request(z.object({})).returns<readonly PromptRow[]>(),
  /** What could stand in a field, best first. Only what the person wrote is passed on to the server. */
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
  /** The resource that a template becomes. */
  fill: request(z.object({ server: Name, uriTemplate: Uri, values: Values })).returns<
    { readonly kind: 'filled'; readonly uri: string } | ContentProblem
  >(),
  /** Has a server make a message of its prompt. May ask in the consent surface. `id`: the conversation. */
  prompt: request(z.object({ id: z.uuid().nullable(), server: Name, name: Name, values: Values })).returns<
    PreparedPrompt | ContentProblem
  >(),
};
