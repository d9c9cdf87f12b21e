// @ts-check

/** How the name of a file ends that holds how many modules are in the built script of the same name. */
export const MODULE_COUNT = '.modules';

/**
 * Writes such a file beside each script that is built: a minified script doesn't tell by itself.
 * @returns {import('vite').Plugin}
 */
export function countModules() {
  return {
    name: 'count-modules',
    generateBundle(_, bundle) {
      for (const file of Object.values(bundle))
        if (file.type === 'chunk')
          this.emitFile({
            type: 'asset',
            fileName: `${file.fileName}${MODULE_COUNT}`,
            source: String(file.moduleIds.length),
          });
    },
  };
}
