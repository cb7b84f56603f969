import { defineConfig } from '@playwright/test';
import { findBrowser } from './tests/support/browser.ts';

const { executablePath, args, env } = await findBrowser();

/** What takes longest begins first: at the end of a run it would keep one worker busy while the other has nothing to do. */
const longest = 'screens.test.ts';

/** One file is one story; the files of a worker share its server, and a story chooses its screens itself. */
export default defineConfig({
  testDir: 'tests/journeys',
  projects: [
    { name: 'longest', testMatch: longest },
    { name: 'others', testMatch: '*.test.ts', testIgnore: longest },
  ],
  globalSetup: './tests/journeys/support/seeded-data.ts',
  outputDir: 'test-results',
  workers: 2,
  // One of all may need it, and is named at the end: see `countPlaywright`.
  retries: 1,
  timeout: 120_000,
  expect: { timeout: 20_000 },
  forbidOnly: Boolean(process.env.CI),
  reporter: 'list',
  use: {
    headless: true,
    actionTimeout: 30_000,
    launchOptions: { executablePath, args, env: { ...process.env, ...env } },
    viewport: { width: 1280, height: 800 },
    // A person at a desk: the headless browser's own name is a robot's, and robots are not counted.
    userAgent: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36',
    // What a story does to an answer is not done again by a worker that has kept another one; a story about it lets it in.
    serviceWorkers: 'block',
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    screenshot: 'only-on-failure',
    // Pictures of every moment would cost a third of the whole run; the page as it stood at each step says the same.
    trace: { mode: 'retain-on-failure', screenshots: false, snapshots: true },
  },
});
