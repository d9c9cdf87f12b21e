export interface CandidateCall {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
}

export type Intent =
  /** The first candidate whose tool is offered is called. */
  | { readonly kind: 'call'; readonly candidates: readonly CandidateCall[] }
  | { readonly kind: 'talk'; readonly topic: 'help' | 'greeting' | 'thanks' | 'goodbye' };

export type CallIntent = Extract<Intent, { kind: 'call' }>;

export function call(tool: string, input: CandidateCall['input'], ...otherwise: readonly CallIntent[]): CallIntent {
  return { kind: 'call', candidates: [{ tool, input }, ...otherwise.flatMap((intent) => intent.candidates)] };
}

const OPENING =
  /^(?:please|pls|kindly|hello|hey|hi|ok(?:ay)?|so|well|and|now|then|first|next|also|just|steward|guide|let'?s|let us|go ahead and|(?:could|can|would|will) you(?: please)?|i(?:'d| would) like (?:you )?to|i want (?:you )?to|i need (?:you )?to|help me(?: to)?)(?:[\s,:!]+|$)/i;
const CLOSING = /[\s,]+(?:please|pls|thanks|thank you|for me|right now|if you can)$/i;

/** The request without politeness around it. */
export function withoutOpening(request: string): string {
  let text = request.trim();
  for (;;) {
    const shorter = text.replace(OPENING, '');
    if (shorter === text) return text;
    text = shorter;
  }
}

/** Also removes polite words at the end. This is not done to commands and texts, of which they may be a part. */
export function withoutManners(request: string): string {
  let text = withoutOpening(request);
  for (;;) {
    // A full stop ends a sentence only after a word: "list the files in .." keeps its dots.
    const shorter = text.replace(/(?<=[\w"'`)>])[.!?]+$|\s+[!?]+$/, '').replace(CLOSING, '');
    if (shorter === text) return text.trim();
    text = shorter;
  }
}

/** Returns a name or text as typed, without quotes around the whole. */
export function unquoted(text: string): string {
  const trimmed = text.trim();
  const quoted = /^(["'`])([\s\S]*)\1$|^“([\s\S]*)”$|^‘([\s\S]*)’$/.exec(trimmed);
  return quoted ? (quoted[2] ?? quoted[3] ?? quoted[4] ?? '') : trimmed;
}
