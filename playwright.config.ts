import { defineConfig } from '@playwright/test';
import { findBrowser } from './tests/support/browser.ts';

const { executablePath, args, env } = await findBrowser();

/** One file is one story; each worker boots a house of its own, and a story chooses its screens itself. */
export default defineConfig({
  testDir: 'tests/journeys',
  testMatch: '*.test.ts',
  outputDir: 'test-results',
  workers: 2,
  retries: 0,
  timeout: 90_000,
  expect: { timeout: 10_000 },
  forbidOnly: Boolean(process.env.CI),
  reporter: 'list',
  use: {
    headless: true,
    actionTimeout: 30_000,
    launchOptions: { executablePath, args, env: { ...process.env, ...env } },
    viewport: { width: 1280, height: 800 },
    // A person at a desk: the headless browser's own name is a robot's, and robots are not counted.
    userAgent: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36',
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    screenshot: 'only-on-failure',
    trace: 'retain-on-failure',
  },
});
