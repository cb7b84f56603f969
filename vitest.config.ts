import { defineConfig } from 'vitest/config';
import { walls } from './tests/support/runner/proofs.ts';
import { listTestKinds } from './tests/support/runner/test-kinds.ts';

const { plain, app, alone } = listTestKinds(import.meta.dirname);
const wallFiles = walls.map((name) => `tests/proofs/**/${name}.test.ts`);
const setupFiles = ['tests/support/runner/setup.ts'];
const withDatabase = { setupFiles, globalSetup: ['tests/support/runner/global-setup.ts'] };

/** Which files belong to `npm test` and which to `npm run prove` is said in CONTRIBUTING.md. */
export default defineConfig({
  test: {
    pool: 'forks',
    // Two cores: a test waits for its database, a child or a clock for about a third of its time, and another one works meanwhile.
    maxWorkers: 3,
    // Far above what anything takes: they end what hangs, and say nothing about how fast a machine is. Files have none of their own.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 120_000 } },
    projects: [
      { extends: true, test: { name: 'plain', include: plain, isolate: false, setupFiles } },
      { extends: true, test: { name: 'app', include: app, isolate: false, ...withDatabase } },
      { extends: true, test: { name: 'alone', include: alone, ...withDatabase } },
      { extends: true, test: { name: 'walls', include: wallFiles, ...withDatabase } },
      {
        extends: true,
        test: { name: 'proofs', include: ['tests/proofs/**/*.test.ts'], exclude: wallFiles, ...withDatabase },
      },
    ],
  },
});
