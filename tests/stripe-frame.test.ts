import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from '@playwright/test';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { stripeScript } from '#app/payments.ts';
import type { Payments } from '#engines/payments/payments.ts';
import { openStripe } from '#engines/payments/stripe.ts';
import { openStandIn, type StandIn } from './proofs/stripe/stand-in/server.ts';
import { signUpCreator } from './support/people.ts';
import { addReadyAlbum } from './support/ready-album.ts';
import { beginTrial, openChromium, openPayingApp, type PayingApp } from './support/stripe-frame/paying-app.ts';
import { openStripeHosts, type StripeHosts } from './support/stripe-frame/stripe-hosts.ts';
import { openTestApp, type TestApp } from './support/test-app.ts';

const loaderFile = fileURLToPath(new URL('../dist/pure.mjs', import.meta.resolve('@stripe/stripe-js')));
let app: TestApp;
let standIn: StandIn;
let hosts: StripeHosts;
let payments: Payments;
let paying: PayingApp;
let browser: Browser;

beforeAll(async () => {
  [app, standIn, hosts] = await Promise.all([openTestApp({ workJobs: false }), openStandIn({}), openStripeHosts()]);
  const { host, port, secretKey } = standIn;
  payments = openStripe({
    realm: { provider: 'stripe', livemode: false },
    place: 'the stand-in',
    connect: async () => ({ secretKey, host: { host, port } }),
    secrets: async () => ({}),
    browser: async () => ({ publishableKey: 'pk_test_frame', scriptUrl: stripeScript }),
  });
  paying = await openPayingApp(app, payments);
  browser = await openChromium([hosts.flag]);
});
afterAll(async () => {
  await browser?.close();
  await paying?.close();
  await Promise.all([app?.close(), standIn?.close(), hosts?.close()]);
});

/** A page that came from an address, and what its browser complains about. */
async function openPage(address: string, { url } = paying): Promise<{ page: Page; complaints: string[] }> {
  const page = await browser.newPage({ ignoreHTTPSErrors: true });
  const complaints: string[] = [];
  page.on('console', (line) => line.type() === 'error' && complaints.push(line.text()));
  page.on('pageerror', ({ message }) => complaints.push(message));
  await page.goto(`${url}${address}`);
  return { page, complaints };
}

/** Returns how often a page is loaded from here on. */
function countLoads(page: Page): { count: number } {
  const loads = { count: 0 };
  page.on('request', (request) => {
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) loads.count += 1;
  });
  return loads;
}

/** Returns what the frame of a checkout has said last. */
const lastTold = () => hosts.reported.at(-1);
const outsideOf = (page: Page) => page.locator('iframe[title="Secure payment input frame"]');
const frameOf = (page: Page) => outsideOf(page).contentFrame();

/** Taps a button of the frame, once its script has run and the dialog around it has its last height: what moves outside is no reason to wait inside. */
async function tapInFrame(page: Page, name: string): Promise<void> {
  await frameOf(page).getByRole('status').getByText(/./).waitFor();
  await expect.poll(() => outsideOf(page).getAttribute('style')).toContain('height: 321px');
  await outsideOf(page).click({ trial: true });
  await frameOf(page).getByRole('button', { name }).click();
}

test('the frame stands on the page of a trial: its scripts, its HTML, its frames and its calls are let in', async () => {
  const { page, complaints } = await openPage('/auth?action=signup');
  await beginTrial(page, 'frame@example.com');
  await frameOf(page).getByRole('heading', { name: 'Pay' }).waitFor();
  await page.frameLocator('iframe[title="Controller"]').getByText("A page of Stripe's.").waitFor({ state: 'attached' });
  await tapInFrame(page, 'Ask the bank');
  await page.frameLocator('iframe[title="3D Secure"]').getByText("A page of Stripe's.").waitFor();
  expect(await page.evaluate('stripeParts')).toBe(2);
  await expect.poll(() => hosts.reported).toContain('payments allowed');
  expect(complaints).toEqual([]);
  const places = [...hosts.asked].map((place) => place.replace(/cs_test_\w+/, 'cs_test'));
  expect(places.toSorted()).toEqual([
    'api.stripe.com/v1/payment_pages/cs_test/init',
    'b.js.stripe.com/endive/part.js',
    'checkout.stripe.com/api/locale',
    'checkout.stripe.com/c/embedded',
    'hooks.stripe.com/3d_secure_2/authenticate',
    'js.stripe.com/endive/part.js',
    'js.stripe.com/endive/stripe.js',
    'js.stripe.com/v3/controller.html',
    'q.stripe.com/pixel',
  ]);
  await page.close();
});

test("a wallet's window answers the frame that has opened it, and the page knows its own", async () => {
  const { page } = await openPage('/auth?action=signup');
  await beginTrial(page, 'wallet@example.com');
  await tapInFrame(page, 'Pay by wallet');
  await expect.poll(lastTold).toMatch(/wallet/);
  expect(lastTold()).toBe('the wallet has answered');
  await tapInFrame(page, 'Pay in a window');
  await expect.poll(lastTold).toMatch(/window/);
  expect(lastTold()).toBe('a window that the page knows');
  await page.close();
});

const strict = { opener: 'same-origin', payment: 'payment=()', isStripes: false };
const framing = { opener: 'same-origin-allow-popups', isStripes: true };

/** What a page says of windows and payments, and whether its policy names Stripe. */
async function headersOf(address: string, cookie = '') {
  const { headers } = await fetch(`${paying.url}${address}`, { headers: { cookie } });
  return {
    opener: headers.get('cross-origin-opener-policy'),
    payment: headers.get('permissions-policy')?.split(', ').at(-1),
    isStripes: headers.get('content-security-policy')?.includes('stripe'),
    isIsolated: headers.has('cross-origin-embedder-policy'),
  };
}

test('pages that show the frame have headers of their own, and all others have none of them', async () => {
  const known = 'pf.session_token=any';
  const payment =
    'payment=(self "https://js.stripe.com" "https://*.js.stripe.com" "https://hooks.stripe.com" "https://checkout.stripe.com")';
  for (const address of ['/auth?action=signup', '/subscription', '/account/billing', '/Account/Billing/', '/pricing'])
    expect([address, await headersOf(address, known)]).toEqual([address, { ...framing, payment, isIsolated: false }]);
  for (const address of ['/', '/auth', '/auth?action=forgot', '/albums', '/magic-links', '/profile', '/post-checkout'])
    expect([address, await headersOf(address, known)]).toEqual([address, { ...strict, isIsolated: false }]);
  // What a visitor reads is written by the server and sells by links.
  for (const address of ['/', '/pricing', '/view/abc', '/nowhere'])
    expect([address, await headersOf(address)]).toEqual([address, { ...strict, isIsolated: false }]);
});

/** What a page makes of Stripe's script, of a foreign one, of HTML and of a window. */
const probe = `(() => {
  const attempt = (run) => {
    try {
      return run();
    } catch {
      return 'refused';
    }
  };
  const scriptOf = (address) =>
    attempt(() => {
      document.createElement('script').src = address;
      return 'let in';
    });
  const htmlOf = (text) =>
    attempt(() => {
      const box = document.createElement('div');
      box.innerHTML = text;
      return box.innerHTML;
    });
  return {
    stripes: scriptOf('${stripeScript}'),
    foreign: scriptOf('https://elsewhere.example/program.js'),
    box: htmlOf('<div class="a"></div>'),
    code: htmlOf('<img src="data:," onerror="run()">'),
    text: attempt(() => { const script = document.createElement('script'); script.text = 'run()'; return script.text; }),
  };
})()`;
const nothing = { stripes: 'refused', foreign: 'refused', box: '', code: '', text: '' };

test('scripts and HTML of Stripe are let in once somebody is about to pay, nothing else is, and other pages never do', async () => {
  const { page } = await openPage('/auth?action=signup');
  await page.getByLabel('Email').waitFor();
  expect(await page.evaluate(probe)).toEqual(nothing);
  await beginTrial(page, 'probe@example.com');
  await frameOf(page).getByRole('heading', { name: 'Pay' }).waitFor();
  expect(await page.evaluate(probe)).toEqual({ ...nothing, stripes: 'let in', box: '<div class="a"></div>' });
  await page.goto(`${paying.url}/auth`);
  await page.getByLabel('Email').waitFor();
  expect(await page.evaluate(probe)).toEqual(nothing);
  const makesPolicy =
    "(() => { try { trustedTypes.createPolicy('payments', {}); return true; } catch { return false; } })()";
  expect(await page.evaluate(makesPolicy)).toBe(false);
  await page.close();
});

test('who comes to the frame from another page, or leaves it, gets the headers of the page', async () => {
  const { page, complaints } = await openPage('/auth');
  const loads = countLoads(page);
  await page.getByRole('link', { name: /Start Free Trial/ }).click();
  await page.getByRole('heading', { name: 'Start your free trial' }).waitFor();
  await beginTrial(page, 'border@example.com');
  await frameOf(page).getByRole('heading', { name: 'Pay' }).waitFor();
  expect(loads.count).toBe(1);
  await page.goBack();
  await page.getByRole('button', { name: 'Sign In', exact: true }).waitFor();
  expect(await page.evaluate(probe)).toEqual(nothing);
  expect(await page.evaluate('typeof Stripe')).toBe('undefined');
  expect(loads.count).toBe(2);
  await page.getByRole('link', { name: /Forgot/ }).click();
  await page.getByRole('button', { name: /Send/ }).waitFor();
  expect(loads.count).toBe(2);
  expect(complaints.filter((line) => !line.includes('TrustedScriptURL'))).toEqual([]);
  await page.close();
});

test('a page that is sending files is not loaded again', async () => {
  const { browser: session, userId } = await signUpCreator(app);
  const albumId = await addReadyAlbum(app, userId);
  const { page } = await openPage('/auth');
  await page.context().addCookies([...session.cookies].map(([name, value]) => ({ name, value, url: paying.url })));
  await page.goto(`${paying.url}/albums/${albumId}`);
  // What is sent is never answered.
  await page.route('**/files**', () => undefined);
  const loads = countLoads(page);
  await page
    .getByLabel('Photos to upload')
    .first()
    .setInputFiles({ name: 'dusk.jpg', mimeType: 'image/jpeg', buffer: Buffer.alloc(100_000, 7) });
  await page.getByRole('link', { name: 'Home', exact: true }).first().click();
  await page.getByRole('link', { name: 'Manage', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Subscription' }).waitFor();
  expect(loads.count).toBe(0);
  await page.close();
});

/** Looks at the page of a trial as it comes with a header of all other pages. */
async function plant(name: string, look: (page: Page) => Promise<void>): Promise<void> {
  const { headers } = await fetch(`${paying.url}/auth`);
  const poor = await openPayingApp(app, payments, { [name]: headers.get(name) ?? '' });
  const { page } = await openPage('/auth?action=signup', poor);
  await beginTrial(page, `${name}@example.com`);
  await look(page);
  await page.close();
  await poor.close();
}

test('planted: under the policy of all other pages there is no frame, and the page says what to do', () =>
  plant('content-security-policy', async (page) => {
    await page.getByText('Please reload this page to pay.').waitFor();
  }));

test('planted: beside other windows as all other pages stand, no wallet answers', () =>
  plant('cross-origin-opener-policy', async (page) => {
    await tapInFrame(page, 'Pay by wallet');
    await expect.poll(lastTold).toBe('the wallet has no window');
    await tapInFrame(page, 'Pay in a window');
    await expect.poll(lastTold).toBe('a window that nobody knows');
  }));

test('planted: with the permissions of all other pages the frame may not ask the browser for a payment', () =>
  plant('permissions-policy', async (page) => {
    await frameOf(page).getByRole('heading', { name: 'Pay' }).waitFor();
    await expect.poll(lastTold).toBe('payments not allowed');
  }));

test("Stripe's own loader asks for the same address, is refused by itself and takes what our page has loaded", async () => {
  const { page } = await openPage('/auth?action=signup');
  await page.route('**/assets/stripe-loader.js', (route) =>
    route.fulfill({ path: loaderFile, contentType: 'text/javascript' }),
  );
  const load = `import('/assets/stripe-loader.js').then(({ loadStripe }) => loadStripe('pk_test_frame')).then(
    (stripe) => typeof stripe.createEmbeddedCheckoutPage, ({ name }) => name)`;
  await page.getByLabel('Email').waitFor();
  expect(await page.evaluate(load)).toBe('TypeError');
  await beginTrial(page, 'loader@example.com');
  await frameOf(page).getByRole('heading', { name: 'Pay' }).waitFor();
  expect(await page.evaluate(load)).toBe('function');
  const [, train] = /RELEASE_TRAIN = '(\w+)'/.exec(readFileSync(loaderFile, 'utf8')) ?? [];
  expect(stripeScript).toBe(`https://js.stripe.com/${train}/stripe.js`);
  await page.close();
});
