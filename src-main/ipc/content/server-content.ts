import { randomUUID } from 'node:crypto';
import type {
  MessageAttachment,
  PromptMessage,
  SentPrompt,
  StoredEvent,
} from '../../../src-preload/contract/events.ts';
import { needsSignInText, signInsOffered } from '../../../src-preload/contract/remedies.ts';
import type {
  AttachedResource,
  ContentProblem,
  content,
  PromptRow,
} from '../../../src-preload/contract/server-content.ts';
import { firstCharacters, visible, visibleLines } from '../../base/text.ts';
import type { McpConnection } from '../../mcp/connection.ts';
import { expandTemplate, TemplateFailure } from '../../mcp/content/template-uri.ts';
import {
  ContentFailure,
  type ContentPurpose,
  type GivenContent,
  type ProfilePart,
  type ServersPart,
} from '../../services.ts';
import type { Desktop, Writing } from '../desktop-port.ts';
import { needGesture } from '../gesture.ts';
import type { Handlers } from '../handlers.ts';
import { IpcError } from '../ipc-error.ts';
import { AttachedResources } from './attached-resources.ts';
import { searchResources } from './resource-search.ts';

/** The most completions that are shown for one field. */
const MAX_COMPLETIONS = 20;
/** Prepared prompts that were not sent; the oldest are dropped. */
const MAX_PREPARED = 20;
const MAX_REMEMBERED = 10_000;
const MAX_SHOWN_MESSAGES = 50;
const SHOWN_CHARACTERS = 4_000;

export interface ServerContentPorts {
  readonly services: Pick<ServersPart, 'serverContents'> & Pick<ProfilePart, 'storage'>;
  readonly desktop: Pick<Desktop, 'takeGesture' | 'takeSending' | 'writing'>;
  readonly onResource: (resource: AttachedResource) => void;
  /** Aborts when the window closes. */
  readonly signal: AbortSignal;
}

/**
 * Resources and prompts for the message being written. The page may only choose from what servers list; a server only
 * receives what main saw the user write or offered itself; and a message's server content comes from main, never from
 * the page.
 */
export class ServerContentRequests {
  readonly #ports: ServerContentPorts;
  readonly #prepared = new Map<string, GivenContent<SentPrompt>>();
  /** Offered completions and filled-in URIs by server: what one server offered must not be sent to another. */
  readonly #offered = new Set<string>();
  readonly #filled = new Set<string>();

  readonly #attached: AttachedResources;

  constructor(ports: ServerContentPorts) {
    this.#ports = ports;
    const { services, onResource, signal } = ports;
    this.#attached = new AttachedResources({
      source: services.serverContents,
      mayWatch: ({ server, uri }) =>
        services.serverContents.isReviewed(server) &&
        (this.#filled.has(keyOf(server, uri)) || services.serverContents.offers(server, uri)),
      read: (resource, conversationId, options) => this.#read(resource, conversationId, options),
      onResource,
      signal,
    });
  }

  handlers(): Handlers<typeof content> {
    const { services, desktop, signal } = this.#ports;
    const { serverContents } = services;
    return {
      attached: ({ id, resources }) => {
        this.#attached.set(id, resources);
        return null;
      },

      readAgain: async (resource, circumstances) => {
        needGesture(desktop, circumstances);
        await this.#attached.readAgain(resource).catch((error: unknown) => {
          throw new IpcError('bad_attachment', problemOf(error).message, { cause: error });
        });
        return null;
      },

      resources: ({ query }) => searchResources(serverContents.ready, query, signal),

      prompts: async () => (await Promise.all(serverContents.ready.map((each) => promptsOf(each, signal)))).flat(),

      complete: async ({ server, of, argument, given }) => {
        // Completing reveals a half-written text, so only a reviewed server gets it, and no question is asked.
        if (!serverContents.isReviewed(server)) return [];
        if (!this.#isWritten(await desktop.writing(), server, [argument.value, ...Object.values(given)])) return [];
        const values = await serverContents
          .complete(server, { of, argument, given }, signal)
          .catch((): readonly string[] => []);
        const offered = values.slice(0, MAX_COMPLETIONS);
        for (const value of offered) remember(this.#offered, keyOf(server, value));
        return offered;
      },

      fill: async ({ server, uriTemplate, values }) => {
        const templates = await serverContents.templates(server, signal);
        if (!templates.has(uriTemplate))
          throw new IpcError('unknown_resource', `The MCP server ${server} no longer offers this.`);
        this.#needWritten(await desktop.writing(), server, Object.values(values));
        try {
          const uri = expandTemplate(uriTemplate, values);
          remember(this.#filled, keyOf(server, uri));
          return { kind: 'filled', uri };
        } catch (error) {
          if (!(error instanceof TemplateFailure)) throw error;
          return { kind: 'problem', argument: null, message: error.message, remedies: [] };
        }
      },

      prompt: async ({ id, server, name, values }, { receivedAt }) => {
        if (!desktop.takeSending(receivedAt))
          throw new IpcError('no_gesture', 'A prompt is used only when you choose it yourself.');
        this.#needWritten(await desktop.writing(), server, Object.values(values));
        try {
          const given = await serverContents.prompt({ server, name, given: values }, this.#purpose(id));
          return { ...this.#keep(given), kind: 'prepared' };
        } catch (error) {
          return problemOf(error);
        }
      },
    };
  }

  /** A resource attached to a message being sent: as its chip showed it, or read now. Throws `IpcError`. */
  async resource(
    { server, uri, version }: { readonly server: string; readonly uri: string; readonly version?: string | undefined },
    conversationId: string | null,
  ): Promise<GivenContent<readonly MessageAttachment[]>> {
    if (version !== undefined) {
      const given = this.#attached.given(version, { server, uri, conversationId });
      if (given !== undefined) return given;
      throw new IpcError('bad_attachment', 'This resource was read too long ago. Remove it and attach it again.');
    }
    try {
      return await this.#read({ server, uri }, conversationId, { signal: this.#ports.signal });
    } catch (error) {
      if (this.#ports.signal.aborted) throw new IpcError('closing', 'Steward is closing.', { cause: error });
      const { message, remedies } = problemOf(error);
      throw new IpcError('bad_attachment', message, { cause: error, remedies });
    }
  }

  async #read(
    { server, uri }: { readonly server: string; readonly uri: string },
    conversationId: string | null,
    options: { readonly signal: AbortSignal; readonly isUnasked?: boolean },
  ): Promise<GivenContent<readonly MessageAttachment[]>> {
    const { serverContents } = this.#ports.services;
    const listed = await serverContents.uris(server, options.signal);
    if (!this.#filled.has(keyOf(server, uri)) && !listed.has(uri))
      throw new ContentFailure('resource_unknown', `The MCP server ${server} no longer offers this.`);
    return serverContents.attachment({ server, uri }, { ...this.#purpose(conversationId), ...options });
  }

  /** Throws `IpcError` for a prompt that no longer exists. */
  prompt(id: string): GivenContent<SentPrompt> {
    const given = this.#prepared.get(id);
    if (given !== undefined) return given;
    throw new IpcError('bad_attachment', 'This prompt was prepared too long ago. Choose it again.');
  }

  #keep(given: GivenContent<SentPrompt>) {
    const id = randomUUID();
    this.#prepared.set(id, given);
    for (const oldest of this.#prepared.keys()) {
      if (this.#prepared.size <= MAX_PREPARED) break;
      this.#prepared.delete(oldest);
    }
    const { server, name, messages } = given.content;
    return { id, server, name, messages: messages.slice(0, MAX_SHOWN_MESSAGES).map(shown), count: messages.length };
  }

  #purpose(conversationId: string | null): ContentPurpose {
    const { services, signal } = this.#ports;
    const events: readonly StoredEvent[] = conversationId === null ? [] : services.storage.events.read(conversationId);
    return { conversationId, events, signal };
  }

  #needWritten(writing: Writing, server: string, values: readonly string[]): void {
    if (this.#isWritten(writing, server, values)) return;
    throw new IpcError('not_written', 'Only what you type, paste or choose here is passed on to a server.');
  }

  /**
   * Whether main saw the user write each word, or the same server offered the value. A beginning will do, because the
   * end may have been deleted, and it tells no more than the whole.
   */
  #isWritten(writing: Writing, server: string, values: readonly string[]): boolean {
    return values.every((value) => {
      const beginning = keyOf(server, value).slice(0, -'"]'.length);
      return [...this.#offered].some((offered) => offered.startsWith(beginning)) || writing.holdsBeginning(value);
    });
  }
}

async function promptsOf({ name: server, content }: McpConnection, signal: AbortSignal): Promise<readonly PromptRow[]> {
  const prompts = await content.list('prompts', signal).catch(() => []);
  return prompts.map(({ name, title, description, arguments: fields = [] }) => ({
    server,
    name,
    line: visible(`${server}/${name}`),
    title: visible(title ?? name),
    description: description === undefined ? null : visible(description),
    fields: fields.map((field) => ({
      name: field.name,
      title: visible(field.title ?? field.name),
      description: field.description === undefined ? null : visible(field.description),
      isRequired: field.required === true,
    })),
  }));
}

/** Rethrows errors that are not about the content. */
function problemOf(error: unknown): ContentProblem {
  if (!(error instanceof ContentFailure)) throw error;
  const { argument = null, remedies } = error;
  const [signIn] = signInsOffered(remedies);
  const message = signIn === undefined ? error.message : needsSignInText(signIn.server);
  return { kind: 'problem', argument, message: visible(message), remedies };
}

function shown({ role, content }: PromptMessage): PromptMessage {
  return {
    role,
    content: content.map((block) =>
      block.type === 'text'
        ? { type: 'text', text: visibleLines(firstCharacters(block.text, SHOWN_CHARACTERS)) }
        : block,
    ),
  };
}

function keyOf(server: string, text: string): string {
  return JSON.stringify([server, text]);
}

function remember(values: Set<string>, value: string): void {
  values.add(value);
  for (const oldest of values) {
    if (values.size <= MAX_REMEMBERED) return;
    values.delete(oldest);
  }
}
