import { defineConfig } from '@playwright/test';
import { engineNames } from './tests/browsers/support/engine-names.ts';

/** Names the engines to run in, with commas between. */
const wanted = (process.env.PF_ENGINES ?? 'chromium').split(',');

/** The stories that are told once for every browser engine. */
export default defineConfig({
  testDir: 'tests/browsers',
  projects: engineNames.filter((name) => wanted.includes(name)).map((name) => ({ name })),
  globalSetup: './tests/journeys/support/seeded-data.ts',
  outputDir: 'test-results/browsers-traces',
  workers: 2,
  retries: 1,
  timeout: 120_000,
  expect: { timeout: 30_000 },
  forbidOnly: Boolean(process.env.CI),
  reporter: 'list',
});
