import type { ContentField, ContentProblem } from '../../../src-preload/contract/server-content.ts';

const DEBOUNCE_MS = 200;

export interface FormPorts<Done> {
  readonly complete: (
    argument: { readonly name: string; readonly value: string },
    given: Readonly<Record<string, string>>,
  ) => Promise<readonly string[] | undefined>;
  /** Resolves with undefined if it failed, which was reported then. */
  readonly submit: (values: Readonly<Record<string, string>>) => Promise<Done | ContentProblem | undefined>;
  readonly done: (result: Done) => void;
}

/** The fields of a prompt, or of a resource template, as they are filled in. */
export class ArgumentForm<Done extends { readonly kind: string }> {
  readonly fields: readonly ContentField[];
  /** Names are the server's: new objects instead of assignments, because one may be `__proto__`. */
  values: Readonly<Record<string, string>> = $state.raw({});
  errors: Readonly<Record<string, string>> = $state.raw({});
  /** What is wrong with none of the fields in particular. */
  problem: ContentProblem | null = $state.raw(null);
  isSubmitting = $state(false);
  /** The field that is being filled in. */
  active: string | null = $state(null);
  suggestions: readonly string[] = $state.raw([]);
  /** Null if none of the suggestions is chosen; Enter then goes on. */
  chosen: number | null = $state(null);
  readonly #ports: FormPorts<Done>;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #asked = 0;

  constructor(fields: readonly ContentField[], values: Readonly<Record<string, string>>, ports: FormPorts<Done>) {
    this.fields = fields;
    this.values = { ...values };
    this.#ports = ports;
  }

  valueOf(name: string): string {
    return Object.hasOwn(this.values, name) ? (this.values[name] ?? '') : '';
  }

  errorOf(name: string): string | undefined {
    return Object.hasOwn(this.errors, name) ? this.errors[name] : undefined;
  }

  #set(name: string, value: string): void {
    this.values = { ...this.values, [name]: value };
    this.errors = Object.fromEntries(Object.entries(this.errors).filter(([each]) => each !== name));
  }

  focused(name: string): void {
    if (this.active === name) return;
    this.active = name;
    this.#forget();
    this.#complete(name, 0);
  }

  typed(name: string, value: string): void {
    this.#set(name, value);
    this.problem = null;
    this.chosen = null;
    this.#complete(name, DEBOUNCE_MS);
  }

  moved(by: 1 | -1): boolean {
    const count = this.suggestions.length;
    if (count === 0) return false;
    const from = this.chosen ?? (by === 1 ? -1 : count);
    this.chosen = (from + by + count) % count;
    return true;
  }

  /** Whether a suggestion was taken. */
  took(index = this.chosen): boolean {
    const value = index === null ? undefined : this.suggestions[index];
    if (value === undefined || this.active === null) return false;
    this.#set(this.active, value);
    this.#forget();
    return true;
  }

  /** Whether suggestions were open. */
  closedSuggestions(): boolean {
    if (this.suggestions.length === 0) return false;
    this.#forget();
    return true;
  }

  async submit(): Promise<void> {
    if (this.isSubmitting) return;
    const missing = this.fields.filter(({ name, isRequired }) => isRequired && this.valueOf(name).trim() === '');
    this.errors = Object.fromEntries(missing.map(({ name }) => [name, 'This is required.']));
    if (missing.length > 0) return;
    this.#forget();
    this.isSubmitting = true;
    this.problem = null;
    try {
      const result = await this.#ports.submit(this.values);
      if (result === undefined) return;
      if (isProblem(result)) this.#failed(result);
      else this.#ports.done(result);
    } finally {
      this.isSubmitting = false;
    }
  }

  /** Nothing is asked for any more. */
  close(): void {
    this.#forget();
  }

  #failed(problem: ContentProblem): void {
    const { argument, message } = problem;
    if (argument !== null && this.fields.some(({ name }) => name === argument)) this.errors = { [argument]: message };
    else this.problem = problem;
  }

  #complete(name: string, afterMs: number): void {
    clearTimeout(this.#timer);
    this.#asked += 1;
    const asked = this.#asked;
    this.#timer = setTimeout(async () => {
      const { [name]: value = '', ...others } = this.values;
      const given = Object.fromEntries(Object.entries(others).filter(([, other]) => other !== ''));
      const found = (await this.#ports.complete({ name, value }, given)) ?? [];
      // Something else was typed since, or the field was left.
      if (this.#asked !== asked || this.active !== name) return;
      const chosen = this.chosen === null ? undefined : this.suggestions[this.chosen];
      this.suggestions = found.filter((each) => each !== value);
      // Chosen with the arrow keys before these came, and still among them.
      const at = chosen === undefined ? -1 : this.suggestions.indexOf(chosen);
      this.chosen = at === -1 ? null : at;
    }, afterMs);
  }

  #forget(): void {
    clearTimeout(this.#timer);
    this.#asked += 1;
    this.suggestions = [];
    this.chosen = null;
  }
}

function isProblem(result: { readonly kind: string }): result is ContentProblem {
  return result.kind === 'problem';
}
