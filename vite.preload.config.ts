import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

/**
 * One preload: the one named by the mode, `app` or `consent`. A sandboxed preload is a single CommonJS file, so each is
 * built separately.
 */
export default defineConfig(({ mode: surface }) => ({
  build: {
    ssr: true,
    target: 'chrome130',
    minify: true,
    emptyOutDir: false,
    rolldownOptions: {
      checks: { pluginTimings: false },
      input: { [`preload-${surface}`]: fileURLToPath(new URL(`src-preload/${surface}.ts`, import.meta.url)) },
      external: ['electron'],
      output: { format: 'cjs', entryFileNames: '[name].cjs', codeSplitting: false },
    },
  },
  ssr: { noExternal: true },
  logLevel: 'warn',
}));
