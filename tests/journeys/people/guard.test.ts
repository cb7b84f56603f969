import type { Page, Route } from '@playwright/test';
import { expect, test } from '../support/app.ts';
import { becomeDemo } from '../support/steps.ts';

/** The route guard when the server is slow or fails: the browser's clock is turned. */
test.setTimeout(120_000);

const me = /\/rpc\/accounts\/me\b/;

// An answer that is still changed on its way would end with the page.
test.afterEach(({ page }) => page.unrouteAll({ behavior: 'wait' }));

test('nobody says who is here: a spinner for ten seconds, then the way in; a late answer takes away no form', async ({
  page,
  app,
}) => {
  await becomeDemo(page, app);
  const held = await holdMe(page);
  await stopClock(page);
  await page.goto(`${app.url}/albums`);
  await expect(page.getByText('Authenticating...')).toBeVisible();
  await held.untilAsked(1);
  await page.clock.fastForward(9000);
  await expect(page.getByText('Authenticating...')).toBeVisible();
  await page.clock.fastForward(1500);
  await page.clock.resume();
  await expect(page.getByRole('heading', { name: 'Welcome Back' })).toBeVisible();
  await expect(page).toHaveURL(/\/auth\?returnTo=%2Falbums$/);

  // What is being typed stays; whoever types nothing is led on.
  await page.getByLabel('Email').pressSequentially('mia@');
  await held.release();
  await page.waitForTimeout(1000);
  await expect(page.getByLabel('Email')).toHaveValue('mia@');
  await expect(page.getByRole('heading', { name: 'Welcome Back' })).toBeVisible();
});

test('an answer after more than ten seconds leads a person who typed nothing where she wanted to go', async ({
  page,
  app,
}) => {
  await becomeDemo(page, app);
  const held = await holdMe(page);
  await page.clock.install();
  await page.goto(`${app.url}/albums`);
  await held.untilAsked(1);
  await page.clock.fastForward(10_500);
  await expect(page.getByRole('heading', { name: 'Welcome Back' })).toBeVisible();
  await held.release();
  await expect(page.getByRole('heading', { name: 'Albums', level: 1 })).toBeVisible();
  await expect(page).toHaveURL(/\/albums$/);
});

for (const { address, there } of [
  { address: '/albums', there: 'Albums' },
  // Who has set up everything is sent on from there, but only once that is known.
  { address: '/account/setup', there: /, Ana$/ },
])
  test(`the server fails at ${address}: kind words and a way to try again, which leads in`, async ({ page, app }) => {
    await becomeDemo(page, app);
    let asked = 0;
    await page.route(me, (route) => {
      asked++;
      return route.fulfill({
        status: 500,
        json: { json: { defined: false, code: 'INTERNAL', status: 500, message: '' } },
      });
    });
    await page.goto(app.url + address);
    await expect(page.getByText('Authenticating...')).toBeVisible();
    await expect(page.getByRole('heading', { name: "This didn't load" })).toBeVisible({ timeout: 15_000 });
    expect(asked, 'a fault of the server is asked about again, twice').toBe(3);
    await expect(page, 'nobody is sent away').toHaveURL(app.url + address);
    await page.unroute(me);
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByRole('heading', { name: there, level: 1 })).toBeVisible();
  });

test('an address that is no page is told to the server once, also when it is reached inside the app', async ({
  page,
  app,
}) => {
  await becomeDemo(page, app);
  const reported: string[] = [];
  page.on('response', (response) => {
    const { pathname, search } = new URL(response.url());
    if (response.status() === 404) reported.push(`${response.request().method()} ${pathname}${search}`);
  });
  await page.goto(`${app.url}/press`);
  await expect(page.getByRole('heading', { name: 'Oops! Page not found' })).toBeVisible();
  for (const to of ['/albums', '/blog/2024?from=mail', '/albums', '/press', '/blog/2024']) await goInPage(page, to);
  await expect(page.getByRole('heading', { name: 'Oops! Page not found' })).toBeVisible();
  await expect.poll(() => reported).toEqual(['GET /press', 'HEAD /blog/2024']);
});

test('a plan that said no is asked for once more, for five seconds', async ({ page, app }) => {
  const [, email = ''] = /sign in\s+(\S+@\S+)/.exec(await app.seed('lapsed')) ?? [];
  await app.become(page, email);
  await page.clock.install();
  await page.goto(`${app.url}/auth`);
  await expect(page.getByRole('heading', { name: "Your subscription isn't active" })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Support' })).toHaveAttribute('href', '/contact');
  await page.clock.fastForward(31_000); // older than an answer that is not asked for again
  const held = await holdMe(page);
  await goInPage(page, '/albums');
  await expect(page.getByText('Checking subscription...')).toBeVisible();
  await held.untilAsked(1);
  await page.clock.fastForward(5500);
  await expect(page.getByRole('heading', { name: "Your subscription isn't active" })).toBeVisible();
  await expect(page).toHaveURL(/\/auth$/);
  await held.release();
});

test('a plan that is good by now lets in while it is checked', async ({ page, app }) => {
  const [, email = ''] = /sign in\s+(\S+@\S+)/.exec(await app.seed('lapsed')) ?? [];
  await app.become(page, email);
  await page.clock.install();
  await page.goto(`${app.url}/auth`);
  await expect(page.getByRole('heading', { name: "Your subscription isn't active" })).toBeVisible();
  await page.clock.fastForward(31_000);
  const held = await holdMe(page);
  await goInPage(page, '/albums');
  await expect(page.getByText('Checking subscription...')).toBeVisible();
  await held.release('"hasAccess":false', '"hasAccess":true');
  await expect(page.getByRole('heading', { name: 'Albums', level: 1 })).toBeVisible();
  await expect(page).toHaveURL(/\/albums$/);
});

/** Holds what the page asks about who is here, until it is let go; the answers may be others from then on. */
async function holdMe(page: Page) {
  const waiting: Route[] = [];
  let isHeld = true;
  let [from, to] = ['', ''];
  const answer = async (route: Route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: (await response.text()).replace(from, to) });
  };
  await page.route(me, (route) => (isHeld ? void waiting.push(route) : answer(route)));
  return {
    untilAsked: (times: number) => expect.poll(() => waiting.length).toBeGreaterThanOrEqual(times),
    async release(said = '', instead = ''): Promise<void> {
      isHeld = false;
      [from, to] = [said, instead];
      for (const route of waiting.splice(0)) await answer(route);
    },
  };
}

/** The page's time stands still until it is turned, however long a busy machine takes. */
async function stopClock(page: Page): Promise<void> {
  const now = Date.now();
  await page.clock.install({ time: now });
  await page.clock.pauseAt(now + 1);
}

/** Goes to an address without loading the page again, as a link in it does. */
async function goInPage(page: Page, to: string): Promise<void> {
  await page.evaluate((address) => {
    history.pushState(null, '', address);
    dispatchEvent(new PopStateEvent('popstate', { state: null }));
  }, to);
}
