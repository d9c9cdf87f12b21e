import { defineConfig } from 'vitest/config';

const shared = { pool: 'forks', testTimeout: 30_000, hookTimeout: 30_000 } as const;
const globalSetup = 'tests/global-setup.ts';

export default defineConfig({
  test: {
    projects: [
      { test: { ...shared, name: 'unit', include: ['tests/unit/**/*.test.ts'] } },
      { test: { ...shared, name: 'integration', include: ['tests/integration/**/*.test.ts'], globalSetup } },
      { test: { ...shared, name: 'security', include: ['tests/security/**/*.test.ts'], globalSetup } },
    ],
  },
});
