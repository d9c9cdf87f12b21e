// @ts-check
import ts from 'typescript';
// @ts-expect-error: it is no export of its package and has no types; a new version may have it elsewhere.
import { EXTENSION2WRAPPER } from '../node_modules/dependency-cruiser/src/extract/transpile/index.mjs';

const SCRIPT = /<script\b[\s\S]*?>([\s\S]*?)<\/script>/g;

/**
 * Type-only imports obey the import rules too, but dependency-cruiser reads a component as the Svelte compiler leaves it: without them. It
 * has no option for this, so its own reader of `.svelte` gets them back here. tests/unit/import-rules.test.ts fails where it does not.
 */
export function seeTypeImportsOfComponents() {
  const compiler = EXTENSION2WRAPPER.get('.svelte');
  EXTENSION2WRAPPER.set('.svelte', {
    ...compiler,
    /** @type {(source: string, ...rest: unknown[]) => string} */
    transpile(source, ...rest) {
      const script = [...source.matchAll(SCRIPT)].map(([, text]) => text).join('\n');
      const imports = ts.preProcessFile(script).importedFiles.map(({ fileName }) => `import '${fileName}';`);
      return [compiler.transpile(source, ...rest), ...imports].join('\n');
    },
  });
}
