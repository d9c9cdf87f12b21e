import type { ModelRequest } from '../provider.ts';

/**
 * What a service rejects and a request can do without. `signatures` are thinking and signatures of the history.
 * `thinking` stands for the parameters that ask for thinking or its effort, `summary` for the one that asks for its
 * summary. `tools` are all tools. `temperature`, `usage` and `cache_key` are those parameters. `deferral` stands for
 * deferred tools, and `chat` for this API, where the service has another that takes the request.
 */
export type RefusedPart =
  | 'signatures'
  | 'thinking'
  | 'summary'
  | 'tools'
  | 'temperature'
  | 'usage'
  | 'cache_key'
  | 'deferral'
  | 'chat';

/**
 * What a service refused once, and would refuse in every later request. Signatures are remembered one by one: those
 * made later are fine.
 */
export class RefusedParts {
  readonly #signatures = new Set<string>();
  readonly #ofModel = new Map<string, Set<RefusedPart>>();

  refusesSignature(signature: string): boolean {
    return this.#signatures.has(signature);
  }

  refuses(model: string, part: RefusedPart): boolean {
    return this.#ofModel.get(model)?.has(part) ?? false;
  }

  /** Returns true if the next request will differ. */
  add(request: ModelRequest, part: RefusedPart | undefined): boolean {
    if (part === undefined) return false;
    if (part === 'signatures') {
      const before = this.#signatures.size;
      for (const signature of signaturesIn(request)) this.#signatures.add(signature);
      return this.#signatures.size > before;
    }
    if (this.refuses(request.model, part)) return false;
    const parts = this.#ofModel.get(request.model) ?? new Set();
    this.#ofModel.set(request.model, parts.add(part));
    return true;
  }
}

export function signaturesIn({ messages }: ModelRequest): string[] {
  return messages.flatMap((message) =>
    message.role === 'user'
      ? []
      : message.content.flatMap((block) => {
          const signature = block.type === 'redacted_thinking' ? block.data : block.signature;
          return signature ? [signature] : [];
        }),
  );
}
