import { fileURLToPath } from 'node:url';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';

const root = fileURLToPath(new URL('src-renderer', import.meta.url));

/**
 * One page: the one named by the mode, `app` or `consent`. Each is built separately into its own folder, so that the
 * consent surface shares no files with the chat and gets none of its code.
 */
export default defineConfig(({ mode: surface }) => ({
  root,
  base: '/',
  publicDir: false,
  plugins: [svelte({ configFile: false, compilerOptions: { runes: true }, dynamicCompileOptions })],
  build: {
    target: 'chrome130',
    emptyOutDir: false,
    assetsDir: `${surface}-assets`,
    // Inlined files would be data: URLs, which the content security policy allows for images only.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // Read from the disk, not over a network.
    chunkSizeWarningLimit: 1_000,
    rolldownOptions: { checks: { pluginTimings: false }, input: `${root}/${surface}.html` },
  },
  logLevel: 'warn',
}));

/** Some packages were written before runes; ours are not. */
function dynamicCompileOptions({ filename }: { filename: string }) {
  return filename.includes('node_modules') ? { runes: undefined } : undefined;
}
