import { defineConfig, mergeConfig } from 'vite';
import { listArgumentSources } from './scripts/ask-sources.mjs';
import { leaveOutUnusedParts } from './scripts/unused-parts.mjs';
import { entry, underNode } from './vite.config.ts';

/** What `ask.js` of the build runs: CommonJS, because only of that can V8 keep the compiled code (Node 20). */
export default defineConfig(
  mergeConfig(underNode, {
    plugins: [leaveOutUnusedParts({ isWholeProgram: false }), listArgumentSources()],
    build: {
      minify: false,
      rolldownOptions: {
        // What is loaded later in the window may be loaded at once here.
        checks: { ineffectiveDynamicImport: false },
        input: {
          'ask-process': entry('src-main/ask-process.ts'),
          // What it loads once it knows that there is something to do; named, so that its weight can be found.
          ask: entry('src-main/headless/ask.ts'),
          // scripts/ask.mjs asks it first.
          'read-arguments': entry('src-main/headless/read-arguments.ts'),
        },
        // One folder down, as the chunks of the other entries: `workerUrl` finds the threads from there.
        output: {
          format: 'cjs',
          entryFileNames: 'ask/[name].cjs',
          chunkFileNames: 'ask/[name]-[hash].cjs',
          // They would be read at every start.
          comments: false,
          // Else what is imported when it is needed may be loaded as soon as a part of it is shared.
          strictExecutionOrder: true,
        },
      },
    },
  }),
);
