import type { createLowlight } from 'lowlight';

type Engine = ReturnType<typeof createLowlight>;
type Tree = ReturnType<Engine['highlight']>;

/** A piece of code of one kind. `scope` is highlight.js's name for it, up to the first dot. */
export interface CodePiece {
  readonly scope: string | null;
  readonly text: string;
}

/** Longer code is not highlighted, because it would be slow. */
const MAX_CHARACTERS = 60_000;
/** Comes before the scope in the first class of an element. The classes of nested languages don't have it. */
const PREFIX = 'hljs-';

let loading: Promise<Engine> | undefined;

/** Syntax highlighting, loaded when the first code block with a known language is shown. */
class Highlighter {
  #engine: Engine | undefined = $state.raw();

  load(): void {
    if (loading !== undefined) return;
    loading = loadEngine().then((engine) => {
      this.#engine = engine;
      return engine;
    });
    // The code is still readable without highlighting.
    loading.catch(() => {
      loading = undefined;
    });
  }

  /** One piece without a scope while the engine loads, and for languages it does not know. */
  pieces(code: string, language: string): readonly CodePiece[] {
    const plain = [{ scope: null, text: code }];
    const engine = this.#engine;
    if (engine === undefined || code.length > MAX_CHARACTERS || !engine.registered(language)) return plain;
    return piecesOf(engine, code, language);
  }
}

export const highlighter = new Highlighter();

export async function loadEngine(): Promise<Engine> {
  const { common, createLowlight: create } = await import('lowlight');
  return create(common);
}

/** A tree and not markup: text from outside never becomes HTML. */
export function piecesOf(engine: Engine, code: string, language: string): readonly CodePiece[] {
  const pieces: CodePiece[] = [];
  flatten(engine.highlight(language, code, { prefix: PREFIX }).children, null, pieces);
  return pieces;
}

function flatten(nodes: Tree['children'], outer: string | null, pieces: CodePiece[]): void {
  for (const node of nodes) {
    if (node.type === 'text') pieces.push({ scope: outer, text: node.value });
    else if (node.type === 'element') flatten(node.children, scopeOf(node.properties.className) ?? outer, pieces);
  }
}

/** Makes `title` of `hljs-title function_`. */
function scopeOf(classes: unknown): string | undefined {
  const [first] = Array.isArray(classes) ? classes : [];
  return typeof first === 'string' && first.startsWith(PREFIX) ? first.slice(PREFIX.length) : undefined;
}
