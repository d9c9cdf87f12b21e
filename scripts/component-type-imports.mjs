// @ts-check
import ts from 'typescript';
// @ts-expect-error: not exported by its package and without types; a new version may move it.
import { EXTENSION2WRAPPER } from '../node_modules/dependency-cruiser/src/extract/transpile/index.mjs';

const SCRIPT = /<script\b[\s\S]*?>([\s\S]*?)<\/script>/g;

/**
 * Type-only imports must follow the import rules too, but dependency-cruiser reads a component's compiled form, without
 * them. It has no option for this, so this patches its reader of `.svelte` files. tests/unit/import-rules.test.ts fails
 * if that breaks.
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
