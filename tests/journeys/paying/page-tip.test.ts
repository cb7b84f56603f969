import type { Page } from '@playwright/test';
import { pageTipRule, renewalTerms } from '#features/notices/refund-promise.ts';
import { expect, type JourneyApp, openPhone, test } from '../support/app.ts';
import { call } from '../support/calls.ts';
import { collectComplaints } from '../support/complaints.ts';
import { expectAccessible, untilCalm } from '../support/looking.ts';
import { show } from '../support/showing.ts';
import { expectTermsSent } from '../support/shown-terms.ts';
import { connectStripe } from '../support/steps.ts';

/** The page of whoever is signed in, open to everybody. @returns its address */
async function openPublicPage(page: Page, app: JourneyApp): Promise<string> {
  await call(page, app.url, 'PUT', '/profile/public-page', { isOn: true });
  const { user } = await (await page.request.get(`${app.url}/api/me`)).json();
  return `${app.url}/@${user.handle}`;
}

test("a tip on a creator's page needs no account, and arrives with its name", async ({ page, app, browser }) => {
  const complaints = await collectComplaints(page);
  await app.newCreator(page);
  const address = await openPublicPage(page, app);
  const phone = await openPhone(browser);
  const visitor = await phone.newPage();
  const said = await collectComplaints(visitor);
  const scripts: string[] = [];
  visitor.on('request', (request) => void (request.resourceType() === 'script' && scripts.push(request.url())));
  await visitor.goto(address);
  await expect(visitor.getByText('Albums are private here.')).toBeVisible();
  await expect(visitor.getByRole('button')).toHaveCount(0);
  expect(scripts).toEqual([]);

  await page.goto(`${app.url}/earnings`);
  await connectStripe(page);

  const tier = { name: 'Inner circle', priceCents: 999, benefits: 'Everything new, first.' };
  await call(page, app.url, 'POST', '/fan-tiers', tier);
  await visitor.goto(address);
  await expect(visitor.getByText('$9.99 a month')).toBeVisible();
  await expect(visitor.getByText('$5 or more, by card. No account needed.')).toBeVisible();
  await show(visitor, 'creator-page-selling');
  const first = scripts.length;
  await visitor.getByRole('button', { name: 'Send a tip' }).click();
  await expect(visitor.getByRole('button', { name: 'Pay $5' })).toBeVisible();
  expect(first, 'what sells comes with the first tap').toBeLessThanOrEqual(3);
  expect(scripts.length).toBeGreaterThan(first);
  await visitor.getByRole('button', { name: 'Other' }).click();
  await visitor.getByLabel('Your tip', { exact: true }).last().fill('3');
  await expect(visitor.getByRole('button', { name: '$5 to $100' })).toBeDisabled();
  await visitor.getByRole('button', { name: '$20', exact: true }).click();
  await visitor.getByLabel(/^Message to/).fill('For the sea');
  await visitor.getByLabel('Send it anonymously').uncheck();
  await visitor.getByLabel('Your name').fill('Bob');
  for (const colorScheme of ['light', 'dark'] as const) {
    await visitor.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await untilCalm(visitor);
    await expectAccessible(visitor, `tip form (${colorScheme})`);
  }
  await visitor.emulateMedia({ colorScheme: null, reducedMotion: null });
  await show(visitor, 'creator-page-tip');
  await expectTermsSent(visitor, pageTipRule, () => visitor.getByRole('button', { name: 'Pay $20' }).dblclick());
  await expect(visitor.getByRole('heading', { name: '$20.00' })).toBeVisible();
  await visitor.getByLabel('Email').fill('bob@example.com');
  await visitor.getByLabel('Card number').fill('4242 4242 4242 4242');
  await visitor.getByRole('button', { name: 'Pay $20.00' }).click();
  await expect(visitor.getByRole('heading', { name: 'Thank you!' })).toBeVisible();
  await show(visitor, 'page-tip-success');
  await visitor.getByRole('link', { name: 'My purchases' }).click();
  await expect(visitor.getByText('$20.00')).toBeVisible();
  await expect(visitor.getByText('Access ended')).toHaveCount(0);
  await visitor.goBack();
  await visitor.getByRole('link', { name: 'Back to the page' }).click();
  await expect(visitor).toHaveURL(address);
  await expectTermsSent(visitor, renewalTerms, () => visitor.getByRole('button', { name: 'Subscribe' }).click());
  await expect(visitor.getByRole('heading', { name: /\$9\.99/ })).toBeVisible();
  await visitor.goto(address);

  await page.goto(`${app.url}/earnings`);
  await expect(page.getByText('$20.00 paid on your page')).toBeVisible();
  await expect(page.getByText('“For the sea” – Bob')).toBeVisible();
  await phone.close();
  expect([...complaints, ...said]).toEqual([]);
});

test("a creator's page is read without JavaScript, and says what a tip needs", async ({ page, app, browser }) => {
  await app.newCreator(page);
  const address = await openPublicPage(page, app);
  await page.goto(`${app.url}/earnings`);
  await connectStripe(page);
  const plain = await browser.newContext({ javaScriptEnabled: false });
  const bare = await plain.newPage();
  await bare.goto(address);
  await expect(bare.getByText('$5 or more, by card.')).toBeVisible();
  await expect(bare.getByText('To send a tip, turn on JavaScript in your browser.')).toBeVisible();
  await expect(bare.getByRole('button')).toHaveCount(0);
  await plain.close();
});
