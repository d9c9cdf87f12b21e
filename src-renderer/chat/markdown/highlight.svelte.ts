import type { HLJSApi } from 'highlight.js';

/** A piece of code of one kind. `scope` is highlight.js's name for it, up to the first dot. */
export interface CodePiece {
  readonly scope: string | null;
  readonly text: string;
}

/** Longer code is not highlighted, because it would be slow. */
const MAX_CHARACTERS = 60_000;

/** The part of highlight.js's result that holds the pieces; `value` is markup, which we do not use. */
interface TreeNode {
  readonly scope?: string;
  readonly children: readonly (TreeNode | string)[];
}

let loading: Promise<HLJSApi> | undefined;

/** Syntax highlighting, loaded when the first code block with a known language is shown. */
class Highlighter {
  #engine: HLJSApi | undefined = $state.raw();

  load(): void {
    if (loading !== undefined) return;
    loading = import('highlight.js/lib/common').then((module) => {
      this.#engine = module.default;
      return module.default;
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
    if (engine === undefined || code.length > MAX_CHARACTERS || engine.getLanguage(language) === undefined)
      return plain;
    return piecesOf(engine, code, language);
  }
}

export const highlighter = new Highlighter();

export function piecesOf(engine: HLJSApi, code: string, language: string): readonly CodePiece[] {
  const result = engine.highlight(code, { language, ignoreIllegals: true }) as unknown as {
    readonly _emitter: { readonly rootNode: TreeNode };
  };
  const pieces: CodePiece[] = [];
  flatten(result._emitter.rootNode, null, pieces);
  return pieces;
}

function flatten(node: TreeNode, outer: string | null, pieces: CodePiece[]): void {
  const own =
    node.scope === undefined || node.scope.startsWith('language:') ? outer : (node.scope.split('.')[0] ?? outer);
  for (const child of node.children) {
    if (typeof child !== 'string') flatten(child, own, pieces);
    else pieces.push({ scope: own, text: child });
  }
}
