import { builtinModules } from 'node:module';
import { fileURLToPath } from 'node:url';
import { defineConfig, mergeConfig, type UserConfig } from 'vite';
import { leaveOutUnusedParts } from './scripts/unused-parts.mjs';

export const entry = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Native code and code that finds its files beside itself stays in node_modules; everything else is bundled. */
const external = ['electron', 'keytar', 'keytar/keytar.js', '@vscode/ripgrep', '@photostructure/sqlite'];

/** What is built for Node, however it is bundled. Source of the target: docs/decisions/005. */
export const underNode: UserConfig = {
  build: {
    ssr: true,
    target: 'node20.18',
    emptyOutDir: false,
    // Read from the disk, not over a network.
    chunkSizeWarningLimit: 1_000,
    rolldownOptions: {
      checks: { pluginTimings: false },
      // It copies a long constant to each place that uses it: the list of domains (tldts) was there twice.
      optimization: { inlineConst: false },
      external: [...builtinModules, ...builtinModules.map((name) => `node:${name}`), ...external],
    },
  },
  ssr: { noExternal: true },
  logLevel: 'warn',
};

/**
 * The main process, the start of `ask` (the rest: vite.ask.config.ts), the workers and the bundled MCP server. In the
 * mode `package` minified, and without the entry `ask`: there, `main` is both.
 */
export default defineConfig(({ mode }) =>
  mergeConfig(underNode, {
    plugins: [leaveOutUnusedParts()],
    build: {
      minify: mode === 'package',
      rolldownOptions: {
        input: {
          main: entry('src-main/main.ts'),
          // An entry too, so that nothing of it is in `main`, which awaits it: both would wait for each other.
          terminal: entry('src-main/terminal.ts'),
          ...(mode === 'package' ? {} : { ask: entry('src-main/ask.ts') }),
          'checkpoint-worker': entry('src-main/checkpoints/checkpoint-worker.ts'),
          'diff-worker': entry('src-main/policy/diff-worker.ts'),
          'docx-worker': entry('src-main/tools/files/docx/docx-worker.ts'),
          'edit-worker': entry('src-main/tools/files/edit-worker.ts'),
          'encoding-worker': entry('src-main/base/encoding/encoding-worker.ts'),
          'html-worker': entry('src-main/tools/web/page/html-worker.ts'),
          'json-worker': entry('src-main/tools/json/json-worker.ts'),
          'walk-worker': entry('src-main/tools/shell/walk-worker.ts'),
          'system-info': entry('resources/system-info/main.ts'),
          'storage-worker': entry('src-main/storage/worker/storage-worker.ts'),
        },
        output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
      },
    },
  }),
);
