import { availableParallelism } from 'node:os';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { configDefaults, defineConfig } from 'vitest/config';
import { SCREENS } from './tests/fixtures/electron-machine.ts';

const shared = {
  pool: 'forks',
  // Tests wait for processes and servers half of the time: on two cores vitest would take one.
  maxWorkers: Math.max(3, availableParallelism() - 1),
  // Long, for busy machines: only what fails waits for it.
  testTimeout: 120_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 30_000 } },
} as const;
/** `npm run test:long` sets the variable. */
const exclude = [
  ...configDefaults.exclude,
  ...(process.env.STEWARD_TEST_LONG === undefined ? ['**/*.long.test.ts'] : []),
];
const globalSetup = 'tests/global-setup.ts';

export default defineConfig({
  test: {
    projects: [
      {
        // Compiles the runes of the renderer's classes.
        plugins: [svelte({ configFile: false })],
        // One process for many files: they are quick, and starting one for each would take longer than they do.
        test: { ...shared, exclude, name: 'unit', include: ['tests/unit/**/*.test.ts'], isolate: false },
      },
      { test: { ...shared, exclude, name: 'integration', include: ['tests/integration/**/*.test.ts'], globalSetup } },
      { test: { ...shared, exclude, name: 'security', include: ['tests/security/**/*.test.ts'], globalSetup } },
      {
        test: {
          ...shared,
          exclude,
          name: 'e2e',
          include: ['tests/e2e/**/*.test.ts'],
          globalSetup: 'tests/e2e/global-setup.ts',
          testTimeout: 240_000,
          // After everything else, one window for each screen: each is several processes.
          maxWorkers: SCREENS,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
