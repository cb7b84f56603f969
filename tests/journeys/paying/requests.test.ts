import type { Browser, Page } from '@playwright/test';
import { heldTerms } from '#features/notices/refund-promise.ts';
import { expect, type JourneyApp, openPhone, test } from '../support/app.ts';
import { call, makeAlbum } from '../support/calls.ts';
import { collectComplaints } from '../support/complaints.ts';
import { becomeAdministrator } from '../support/desk-tour.ts';
import { expectAccessible, untilCalm } from '../support/looking.ts';
import { pictureFiles } from '../support/seeded-data.ts';
import { show, visit } from '../support/showing.ts';
import { expectTermsSent } from '../support/shown-terms.ts';
import { password } from '../support/signing-up.ts';
import { setUpTwoStep } from '../support/two-step.ts';

test.setTimeout(300_000);
const hour = 3600;

/** A creator who can be paid, with her page open to everybody. @returns its address */
async function openCreator(page: Page, app: JourneyApp): Promise<string> {
  await app.newCreator(page);
  await call(page, app.url, 'PUT', '/profile/public-page', { isOn: true });
  const { url } = await call<{ url: string }>(page, app.url, 'POST', '/stripe-connect-onboarding', { country: 'US' });
  await page.goto(url);
  await page.getByRole('button', { name: 'Complete everything' }).click();
  await expect(page.getByText('Nothing earned yet')).toBeVisible();
  const { user } = await (await page.request.get(`${app.url}/api/me`)).json();
  return `${app.url}/@${user.handle}`;
}

/** What her payout account becomes at the provider. */
async function answerAccount(page: Page, url: string, answer: 'complete' | 'rejected'): Promise<void> {
  const { url: account } = await call<{ url: string }>(page, url, 'POST', '/stripe-connect-onboarding', { password });
  const asked = { form: { answer }, headers: { origin: url }, maxRedirects: 0 };
  const onboarding = `${url}/sandbox/onboard/${account.split('/').at(-1)}`;
  expect((await page.request.post(onboarding, asked)).status()).toBe(303);
}

/** She takes requests, as she says on the page. */
async function takeRequests(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Requests' }).click();
  await expect(page.getByText("You're not taking requests")).toBeVisible();
  await show(page, 'requests-off');
  await page.getByRole('button', { name: 'Take requests' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('switch', { name: 'Take requests' }).click();
  await dialog.getByLabel('Minimum price, $').fill('20');
  await dialog.getByRole('button', { name: 'Add a fixed price' }).click();
  await dialog.getByRole('textbox', { name: 'Title 1' }).fill('Birthday video');
  await dialog.getByLabel('Price, $', { exact: true }).fill('40');
  await dialog.getByLabel("What you don't do (optional)").fill('Nothing with my face in it.');
  await show(page, 'request-settings');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('No requests yet')).toBeVisible();
}

/** On her own page. */
async function openOnPage(buyer: Page, address: string): Promise<void> {
  await buyer.goto(address);
  await buyer.getByRole('link', { name: 'Ask for something' }).click();
}

/** In the viewer of a link, under More. */
async function openInViewer(buyer: Page, address: string): Promise<void> {
  await buyer.goto(address);
  await buyer.getByRole('button', { name: 'Open', exact: true }).click();
  await buyer.getByRole('button', { name: 'More' }).click();
  await expect(buyer.getByRole('link', { name: 'Ask for something custom' })).toBeVisible();
  await show(buyer, 'request-in-viewer');
  await buyer.getByRole('link', { name: 'Ask for something custom' }).click();
}

/** Somebody asks, with the code of the email. @returns their browser and address */
async function ask(browser: Browser, address: string, open = openOnPage) {
  const phone = await openPhone(browser);
  const buyer = await phone.newPage();
  const email = `asker-${Math.random().toString(36).slice(2)}@example.com`;
  await open(buyer, address);
  await expect(buyer.getByText('Not offered: Nothing with my face in it.')).toBeVisible();
  await buyer.getByLabel('Title').fill('Ten photos at the beach');
  await buyer.getByLabel('What you would like').fill('In a red dress, and I pay by PayPal.');
  await buyer.getByLabel('How many').fill('10');
  await buyer.getByLabel('Email').fill(email);
  await buyer.getByRole('button', { name: 'Continue' }).click();
  await expect(buyer.getByText('Rule: payments stay here.')).toBeVisible();
  await show(buyer, 'request-form-refused');
  await buyer.getByLabel('What you would like').fill('In a red dress, around sunset.');
  await expectUsable(buyer, 'asking');
  await show(buyer, 'request-form');
  await buyer.getByRole('button', { name: 'Continue' }).click();
  await expect(buyer.getByText(`We've sent a code to ${email}.`)).toBeVisible();
  return { phone, buyer, email };
}

const enterCode = async (app: JourneyApp, buyer: Page, email: string) => {
  const { code } = await app.readEmail(email, 'send your request');
  await buyer.getByLabel('6-digit code').fill(code);
};

async function accept(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/requests`);
  await page.getByRole('link', { name: 'Ten photos at the beach' }).click();
  await expect(page.getByText('Waiting for your answer.')).toBeVisible();
  await show(page, 'request-asked');
  await page.getByRole('button', { name: 'Accept', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Days to deliver').fill('7');
  await show(page, 'request-accepting');
  await dialog.getByRole('button', { name: 'Accept', exact: true }).click();
  await expect(page.getByText('You accepted. Waiting for the payment of $20.00; then you have 7 days.')).toBeVisible();
}

async function pay(buyer: Page, email: string): Promise<void> {
  await expect(buyer.getByText('Accepted. Pay to start.')).toBeVisible();
  await show(buyer, 'request-to-pay');
  await expectTermsSent(buyer, heldTerms, () => buyer.getByRole('button', { name: 'Pay $20.00' }).click());
  await expect(buyer.getByRole('heading', { name: '$20.00' })).toBeVisible();
  await buyer.getByLabel('Email').fill(email);
  await buyer.getByLabel('Card number').fill('4242 4242 4242 4242');
  await buyer.getByRole('button', { name: 'Pay $20.00' }).click();
  await expect(buyer.getByRole('heading', { name: 'Paid and held until delivery' })).toBeVisible();
}

async function expectUsable(page: Page, name: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await untilCalm(page);
    await expectAccessible(page, `${name} (${colorScheme})`);
  }
  await page.emulateMedia({ colorScheme: null, reducedMotion: null });
}

/** Whoever asked finds something wrong after the release. */
async function reportDelivery(buyer: Page, page: Page, url: string): Promise<void> {
  await buyer.reload();
  await buyer.getByRole('button', { name: 'Something is wrong' }).click();
  const dialog = buyer.getByRole('dialog');
  await dialog.getByLabel('Why?').click();
  await buyer.getByRole('option', { name: "It isn't what was agreed" }).click();
  await dialog.getByLabel('What happened?').fill('Only two of the ten are there.');
  await expectUsable(buyer, 'reporting');
  await show(buyer, 'request-reporting');
  await dialog.getByRole('button', { name: 'Report it' }).click();
  await expect(buyer.getByText('Reported. We are looking at it.')).toBeVisible();
  await show(buyer, 'request-reported');
  await page.goto(`${url}/requests`);
  await page
    .getByRole('button', { name: 'Done' })
    .or(page.getByRole('radio', { name: 'Done' }))
    .first()
    .click();
  await page.getByRole('link', { name: 'Ten photos at the beach' }).click();
  await expect(page.getByText('Reported by the buyer. We are looking at it.')).toBeVisible();
  await show(page, 'request-reported-own');
}

/** Somebody who sees to money decides about what was reported, and both sides read why. */
async function decideAtDesk(desk: Page, app: JourneyApp, buyerEmail: string) {
  await becomeAdministrator(desk, app);
  await visit(desk, app, '/admin/payments/requests', 'Payments');
  await show(desk, 'admin-requests');
  const row = desk.getByRole('listitem').filter({ hasText: 'Ten photos at the beach' });
  await expect(row).toContainText('Waits for you');
  await row.getByRole('link').click();
  await expect(desk.getByText(/^The buyer reported a problem/)).toBeVisible();
  await show(desk, 'admin-request');
  await desk.getByRole('button', { name: 'Decide' }).click();
  const dialog = desk.getByRole('dialog');
  await dialog.getByLabel('Decision').click();
  await expect(desk.getByRole('option')).toHaveText(['Nothing goes back', 'The buyer gets it back']);
  await desk.getByRole('option', { name: 'Nothing goes back' }).click();
  await dialog.getByLabel('Why').fill('All ten photos are there.');
  await show(desk, 'admin-request-decision');
  await dialog.getByRole('button', { name: 'Leave it' }).dblclick();
  await expect(desk.getByText('It is decided, and both sides are told')).toBeVisible();
  await expect(desk.getByRole('button', { name: 'Decide' })).toHaveCount(0);
  await app.readEmail(buyerEmail, 'All ten photos are there.');
  await desk.context().close();
}

test('a request is asked for, paid, delivered, followed in another browser and released', async ({
  page,
  ownApp,
  browser,
}) => {
  const complaints = await collectComplaints(page);
  const address = await openCreator(page, ownApp);
  await makeAlbum(page, ownApp.url, 'Red dress', pictureFiles('sea', 'dunes'));
  await takeRequests(page);
  const { phone, buyer, email } = await ask(browser, address);
  const said = await collectComplaints(buyer);
  await enterCode(ownApp, buyer, email);
  await expect(buyer.getByRole('heading', { name: 'Request sent' })).toBeVisible();
  await expectUsable(buyer, 'request sent');
  await show(buyer, 'request-sent');
  await buyer.getByRole('link', { name: 'Follow my request' }).click();
  await expect(buyer.getByText(/answers within 72 hours\. You pay only if it is accepted/)).toBeVisible();
  await show(buyer, 'request-followed');
  await buyer.goto(`${ownApp.url}/my`);
  await expect(buyer.getByText('Sent', { exact: true })).toBeVisible();
  await expectUsable(buyer, 'my requests');
  await show(buyer, 'my-requests');
  await buyer.getByRole('link', { name: 'Ten photos at the beach' }).click();
  await expect(buyer.getByText(/answers within 72 hours\. You pay only if it is accepted/)).toBeVisible();

  await accept(page, ownApp.url);
  await buyer.reload();
  await pay(buyer, email);
  await show(buyer, 'request-paid');
  await page.reload();
  await expect(page.getByText(/Paid and held until delivery\. In progress, due/)).toBeVisible();
  await page.getByRole('button', { name: 'Deliver' }).click();
  await page.getByRole('dialog').getByRole('radio', { name: 'Red dress' }).check();
  await page.getByRole('dialog').getByLabel('Message (optional)').fill('I hope you like them.');
  await show(page, 'request-delivering');
  await page.getByRole('dialog').getByRole('button', { name: 'Deliver' }).click();
  await expect(page.getByText('Delivered. Waiting for the buyer to look at it.')).toBeVisible();
  await expect(page.getByRole('main'), 'the button that asked is gone').toBeFocused();
  await expectUsable(page, 'own request');
  await show(page, 'request-delivered');

  const { link } = await ownApp.readEmail(email, 'Delivered – open it.');
  const other = await openPhone(browser);
  const second = await other.newPage();
  await second.goto(link);
  await second.getByRole('button', { name: 'Email me a link' }).click();
  await expect(second.getByText('It works once, for 30 minutes.')).toBeVisible();
  const proof = await ownApp.readEmail(email, 'another browser');
  await second.goto('about:blank');
  await second.goto(proof.link);
  await second.getByRole('button', { name: 'Show my request' }).click();
  await expect(second.getByText('Delivered – open it.')).toBeVisible();
  await expectUsable(second, 'followed request');
  await show(second, 'request-to-open');
  await second.getByRole('button', { name: 'Open it' }).click();
  await second.getByRole('button', { name: 'Open', exact: true }).click();
  await second.getByRole('button', { name: 'Yes' }).click();
  await expect(second.getByRole('button', { name: 'Photo 1 of 2' })).toBeVisible();
  await second.goto(link);
  await setUpTwoStep(page, ownApp.url, password);
  await answerAccount(page, ownApp.url, 'rejected');
  await second.getByRole('button', { name: 'Accept' }).click();
  await second.getByRole('dialog').getByRole('button', { name: 'Accept' }).click();
  await expect(second.getByText('Done.', { exact: true })).toBeVisible();
  await expect(second.getByRole('main')).toBeFocused();
  await show(second, 'request-done');
  await page.reload();
  await expect(page.getByText('The payment waits until your payout account can take it.')).toBeVisible();
  await expectUsable(page, 'release refused');
  await show(page, 'request-release-refused');
  await page.getByRole('link', { name: 'Check payout account' }).click();
  await expect(page.getByText('Your payout account needs attention')).toBeVisible();
  await answerAccount(page, ownApp.url, 'complete');
  await ownApp.turnClock(hour);

  await expect(async () => {
    await page.goto(`${ownApp.url}/earnings`);
    await expect(page.getByText('$18.00 customs')).toBeVisible({ timeout: 3000 });
  }).toPass({ timeout: 90_000 });
  await page
    .getByRole('radio', { name: 'Customs' })
    .or(page.getByRole('button', { name: 'Customs' }))
    .first()
    .click();
  await expect(page.getByText('$20.00 paid')).toBeVisible();
  await show(page, 'earnings-customs');
  await reportDelivery(second, page, ownApp.url);
  await decideAtDesk(await (await browser.newContext()).newPage(), ownApp, email);
  await Promise.all([phone.close(), other.close()]);
  expect([...complaints, ...said]).toEqual([]);
});

test('what is asked for in the viewer and not delivered goes back by itself', async ({ page, ownApp, browser }) => {
  await openCreator(page, ownApp);
  const albumId = await makeAlbum(page, ownApp.url, 'By the sea', pictureFiles('sea'));
  const params = { albumIds: [albumId], rules: { ageGate: false }, isLaxConfirmed: true };
  const { slug } = await call<{ slug: string }>(page, ownApp.url, 'POST', '/links', params);
  await takeRequests(page);
  const { phone, buyer, email } = await ask(browser, `${ownApp.url}/view/${slug}`, openInViewer);
  expect(new URL(buyer.url()).searchParams.get('link')).toBe(slug);
  await enterCode(ownApp, buyer, email);
  await buyer.getByRole('link', { name: 'Follow my request' }).click();
  await expect(buyer.getByText('You pay only if it is accepted')).toBeVisible();
  await accept(page, ownApp.url);
  await buyer.reload();
  await pay(buyer, email);
  await ownApp.turnClock(9 * 24 * hour + hour);
  await buyer.getByRole('link', { name: 'Follow my request' }).click();
  await buyer.waitForURL(/\/request\//);
  const gone = buyer.getByText(/It wasn't delivered in time\. \$20\.00 went back to the card\./);
  await expect(async () => {
    await buyer.reload();
    await expect(gone).toBeVisible({ timeout: 3000 });
  }).toPass({ timeout: 150_000 });
  await expectUsable(buyer, 'refunded request');
  await show(buyer, 'request-refunded');
  await page.reload();
  await expect(page.getByText(/It wasn't delivered in time/)).toBeVisible();
  await show(page, 'request-refunded-own');
  await phone.close();
});
