import type { PreparedPrompt, PromptRow, ResourceRow } from '../../../src-preload/contract/server-content.ts';
import type { ServerContentRequests } from '../../conversation/server-content.ts';
import { ArgumentForm } from './argument-form.svelte.ts';
import type { Composer } from './composer.svelte.ts';
import { ResourcePicker } from './resource-picker.svelte.ts';

type AnyForm = ArgumentForm<PreparedPrompt> | ArgumentForm<{ readonly kind: 'filled'; readonly uri: string }>;

export interface OpenForm {
  readonly server: string;
  /** The prompt's name, or the template. */
  readonly of: string;
  readonly title: string;
  readonly description: string | null;
  /** What happens when it is filled in. */
  readonly action: string;
  readonly form: AnyForm;
}

export interface ServerContentPorts {
  readonly requests: ServerContentRequests;
  readonly composer: Composer;
  readonly conversationId: () => string | null;
  /** The message field has the keyboard again. */
  readonly back: () => void;
}

/**
 * What MCP servers bring to the message that is being written: `@` for resources, `/` for prompts, and the form for
 * what they ask for.
 */
export class ServerContentMenu {
  readonly picker: ResourcePicker;
  prompts: readonly PromptRow[] = $state.raw([]);
  open: OpenForm | null = $state.raw(null);
  readonly #ports: ServerContentPorts;
  /** What was filled in and not used, by what it was for. */
  readonly #kept = new Map<string, Readonly<Record<string, string>>>();
  #at: { readonly start: number; readonly end: number } | null = $state.raw(null);
  #dismissedAt: number | null = null;
  #hasPrompts = false;

  constructor(ports: ServerContentPorts) {
    this.#ports = ports;
    this.picker = new ResourcePicker((query) => ports.requests.resources(query));
  }

  get isPickerOpen(): boolean {
    return this.#at !== null && this.picker.matches.rows.length > 0;
  }

  /** The text or the caret changed. */
  follow(text: string, caret: number): void {
    const at = atQuery(text, caret);
    if (at === null) this.#dismissedAt = null;
    const isOpen = at !== null && at.start !== this.#dismissedAt;
    this.#at = isOpen ? { start: at.start, end: caret } : null;
    this.picker.asked(isOpen ? at.query : null);
    if (!text.startsWith('/')) this.#hasPrompts = false;
    else if (!this.#hasPrompts) void this.#loadPrompts();
  }

  /** The list is closed until another `@` is written. */
  dismiss(): void {
    this.#dismissedAt = this.#at?.start ?? null;
    this.left();
  }

  /** The message field lost the keyboard. */
  left(): void {
    this.#at = null;
    this.picker.asked(null);
  }

  choose({ server, uri, title, description, fields }: ResourceRow): void {
    const { requests } = this.#ports;
    if (fields === null || fields.length === 0) {
      this.#attach({ server, uri, name: title });
      return;
    }
    const of = { kind: 'template', uriTemplate: uri } as const;
    const at = this.#at;
    this.left();
    const form = new ArgumentForm<{ readonly kind: 'filled'; readonly uri: string }>(
      fields,
      this.#keptFor(server, uri),
      {
        complete: (argument, given) => requests.complete({ server, of, argument, given }),
        submit: (values) => requests.fill({ server, uriTemplate: uri, values }),
        done: (filled) => {
          this.#kept.delete(keyOf(server, uri));
          this.open = null;
          this.#at = at;
          this.#attach({ server, uri: filled.uri, name: filled.uri });
        },
      },
    );
    this.open = { server, of: uri, title, description, action: 'Attach', form };
  }

  choosePrompt({ server, name, title, description, fields }: PromptRow): void {
    const { requests, conversationId } = this.#ports;
    const of = { kind: 'prompt', name } as const;
    const form = new ArgumentForm<PreparedPrompt>(fields, this.#keptFor(server, name), {
      complete: (argument, given) => requests.complete({ server, of, argument, given }),
      submit: (values) => requests.prompt({ id: conversationId(), server, name, values }),
      done: (prepared) => this.#use(prepared),
    });
    this.open = { server, of: name, title, description, action: 'Use prompt', form };
    // The form has nothing to fill in.
    if (fields.length === 0) void form.submit();
  }

  /** Back to the text as it was; what was filled in is there when the form is opened again. */
  closeForm(): void {
    const { open } = this;
    if (open === null) return;
    this.#kept.set(keyOf(open.server, open.of), { ...open.form.values });
    open.form.close();
    this.open = null;
    this.#ports.back();
  }

  #use(prepared: PreparedPrompt): void {
    const { composer, back } = this.#ports;
    this.open = null;
    composer.typed('');
    composer.addPrompt(prepared);
    back();
  }

  #attach(resource: { readonly server: string; readonly uri: string; readonly name: string }): void {
    const { composer, back } = this.#ports;
    const at = this.#at;
    this.left();
    if (at !== null) composer.typed(`${composer.text.slice(0, at.start)}${composer.text.slice(at.end)}`);
    composer.addResource(resource);
    back();
  }

  #keptFor(server: string, what: string): Readonly<Record<string, string>> {
    return this.#kept.get(keyOf(server, what)) ?? {};
  }

  async #loadPrompts(): Promise<void> {
    this.#hasPrompts = true;
    this.prompts = (await this.#ports.requests.prompts()) ?? [];
  }
}

function keyOf(server: string, what: string): string {
  return JSON.stringify([server, what]);
}

interface AtQuery {
  /** The text between `@` and the caret. */
  readonly query: string;
  /** The index of the `@`. */
  readonly start: number;
}

/** The `@` that is being written, with a blank or nothing before it. Null if there is none. */
function atQuery(text: string, caret: number): AtQuery | null {
  const [, query] = /(?:^|\s)@([^\s@]{0,200})$/.exec(text.slice(0, caret)) ?? [];
  return query === undefined ? null : { query, start: caret - query.length - 1 };
}
