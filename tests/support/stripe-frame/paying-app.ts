import path from 'node:path';
import { type Browser, chromium, type Page } from '@playwright/test';
import { createServer } from '#app/server/server.ts';
import { mountSite } from '#app/server/site.ts';
import type { Engines } from '#engines/engines.ts';
import type { Payments } from '#engines/payments/payments.ts';
import { usualFacts as usualHelpFacts } from '#features/assistant/facts.ts';
import { usualFacts } from '#features/marketing/facts.ts';
import { findBrowser } from '#tests/support/browser.ts';
import { findFreePort } from '#tests/support/servers/server-process.ts';
import type { TestApp } from '#tests/support/test-app.ts';
import { createLive } from '#wire/live.ts';

/** The built pages of an installation whose money goes through Stripe. */
export interface PayingApp {
  url: string;
  close(): Promise<void>;
}

/**
 * Another server on the engines of a test, but for its payments.
 * @param planted headers that its pages say instead of their own
 */
export async function openPayingApp(
  from: TestApp,
  payments: Payments,
  planted: Readonly<Record<string, string>> = {},
): Promise<PayingApp> {
  const port = await findFreePort();
  const url = `http://localhost:${port}`;
  const engines: Engines = {
    ...from.engines,
    payments,
    sandbox: undefined,
    installation: { ...from.engines.installation, publicUrl: url },
  };
  const app = await createServer(engines, createLive(engines.clock), {
    trustedProxies: undefined,
    patience: { loopMs: 0, poolMs: 0 },
    async mountSite(server) {
      server.addHook('onSend', async (_request, reply) => void reply.headers(planted));
      await mountSite(server, path.resolve('build'), {
        isSandbox: true,
        isStripe: true,
        publicUrl: url,
        readFacts: async () => ({ site: { ...usualFacts, publicUrl: url }, help: usualHelpFacts }),
        isInvitationOpen: async () => false,
        isAdministrator: async () => false,
        log: engines.log,
      });
    },
  });
  await app.listen({ port, host: '127.0.0.1' });
  return { url, close: () => app.close() };
}

/** @param flags more words for its start */
export async function openChromium(flags: readonly string[]): Promise<Browser> {
  const { executablePath, args, env } = await findBrowser();
  return chromium.launch({ executablePath, args: [...args, ...flags], env: { ...process.env, ...env } });
}

/** Goes as far as the frame of a trial: an address, a box and a tap. */
export async function beginTrial(page: Page, email: string): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByRole('checkbox', { name: /18 years or older/ }).check();
  await page.getByRole('button', { name: 'Start Free Trial' }).click();
}
