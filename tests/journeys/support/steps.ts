import type { Browser, BrowserContext, Locator, Page } from '@playwright/test';
import { expect, type JourneyApp, openPhone } from './app.ts';
import { type Caller, call } from './calls.ts';

/** The pictures of an album's page. */
export const photosOf = (page: Page): Locator => page.getByRole('button', { name: /^Photo \d+ of/ });

/** Signs in as the creator whom the first start of a sandbox makes, with albums, links and a week of visits. */
export async function becomeDemo(page: Caller, app: JourneyApp): Promise<void> {
  const become = async () => {
    await app.become(page, 'creator@example.com');
    return listLinks(page, app.url).then(
      (links) => links.length,
      () => 0, // the seed has not come so far
    );
  };
  await expect.poll(become, { timeout: 60_000 }).toBeGreaterThanOrEqual(3);
}

/** Taps a button that leads to the payout account: on a computer it opens a tab of its own. @returns that tab */
export async function openStripe(page: Page, button: string): Promise<Page> {
  const [tab] = await Promise.all([page.waitForEvent('popup'), page.getByRole('button', { name: button }).click()]);
  return tab;
}

/** Begins a payout account, in the country that is proposed. @returns the tab of the provider's page */
export async function beginStripe(page: Page): Promise<Page> {
  await page.getByRole('button', { name: 'Connect Stripe' }).click();
  await expect(page.getByRole('combobox', { name: 'Country' })).not.toHaveText('Choose your country');
  return openStripe(page, 'Continue to Stripe');
}

/** Connects payouts from the page that offers it, which knows of it afterwards. */
export async function connectStripe(page: Page): Promise<void> {
  const tab = await beginStripe(page);
  await tab.getByRole('button', { name: 'Complete everything' }).click();
  await expect(tab.getByRole('button', { name: 'Manage Account' })).toBeVisible();
  await tab.close();
  await page.reload();
  await expect(page.getByRole('button', { name: 'Manage Account' })).toBeVisible();
}

/** A link as the API tells it. */
export interface LinkOfApi {
  id: string;
  url: string;
  slug: string;
  linkName: string;
  expiresAt: string | null;
  viewsCount: number;
}

export const listLinks = async (page: Caller, url: string): Promise<LinkOfApi[]> =>
  (await call<{ links: LinkOfApi[] }>(page, url, 'GET', '/links')).links;

/** A link to the first ready album of whoever is signed in. */
export async function makeLink(page: Caller, url: string, rules: object): Promise<LinkOfApi> {
  const { albums } = await call<{ albums: { id: string; name: string }[] }>(page, url, 'GET', '/albums?filter=ready');
  const album = albums.find(({ name }) => name === 'Golden hour') ?? albums[0];
  return call<LinkOfApi>(page, url, 'POST', '/links', { albumIds: [album?.id], ...rules });
}

/** Copies the link of the open sheet; where nobody said whom it is for, that question is skipped. */
export async function tapCopy(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Copy link' }).click();
  const skip = page.getByRole('dialog', { name: 'Who is it for?' }).getByRole('button', { name: 'Skip' });
  const isMade = page.getByRole('button', { name: 'Copied' });
  await expect(skip.or(isMade).first()).toBeVisible();
  if (await skip.isVisible()) await skip.click();
}

/** Makes the link of the open sheet and reads what the clipboard got. */
export async function copyLink(page: Page): Promise<string> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await tapCopy(page);
  // The clipboard may still hold what another story has copied.
  await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible();
  return readClipboard(page);
}

/** What this browser's clipboard held before: all stories of a worker share it. */
let copiedBefore = '';

/** The address that was just copied. */
export async function readClipboard(page: Page): Promise<string> {
  const read = () => page.evaluate(() => navigator.clipboard.readText());
  const isNew = async () => (await read()).includes('/view/') && (await read()) !== copiedBefore;
  await expect.poll(isNew).toBe(true);
  copiedBefore = await read();
  return copiedBefore;
}

/** Somebody with the link, on a phone of their own. */
export async function openDoor(browser: Browser, address: string): Promise<{ phone: BrowserContext; viewer: Page }> {
  const phone = await openPhone(browser);
  const viewer = await phone.newPage();
  await viewer.goto(address);
  return { phone, viewer };
}

/** Holds back whatever a page asks of an address, until it may come. */
export async function hold(viewer: Page, part: string): Promise<{ letCome(): void }> {
  const mayCome = Promise.withResolvers<void>();
  await viewer.route(part, async (route) => {
    await mayCome.promise;
    await route.continue();
  });
  return { letCome: mayCome.resolve };
}

/** Through the door and the gate of age, until the first screen is sharp. */
export async function enter(viewer: Page, photos: number): Promise<void> {
  await viewer.getByRole('button', { name: 'Open', exact: true }).click();
  await viewer.getByRole('button', { name: 'Yes' }).click();
  await expectPainted(viewer, photos);
}

/** Whoever reads a failure sees what was missing: the place, its canvas, or the picture on it. */
export const expectPainted = (viewer: Page, photos: number): Promise<void> =>
  expect.poll(() => countPlaces(viewer), { timeout: 30_000 }).toMatchObject({ painted: photos });

const countPlaces = async (viewer: Page) => {
  const [places, canvases, painted] = await Promise.all(
    ['.cell', 'canvas.sharp', 'canvas[data-painted]'].map((part) => viewer.locator(`#grid ${part}`).count()),
  );
  return { places, canvases, painted };
};

/** At least so many: how far ahead of the screen pictures are drawn depends on how quick the machine is. */
export const expectSomePainted = (viewer: Page, photos: number): Promise<void> =>
  expect
    .poll(() => viewer.locator('#grid canvas[data-painted]').count(), { timeout: 30_000 })
    .toBeGreaterThanOrEqual(photos);

/** Nothing of any picture is left on the screen. */
export async function expectDark(viewer: Page): Promise<void> {
  await expect(viewer.locator('canvas')).toHaveCount(0);
}

export const isRenewal = (address: string): boolean => new URL(address).pathname === '/api/v1/view/renew';

/** The screen hears that the network is back, which makes it renew at once. */
export async function renewNow(viewer: Page): Promise<void> {
  const renewed = viewer.waitForResponse((answer) => isRenewal(answer.url()) && answer.ok());
  await viewer.evaluate(() => dispatchEvent(new Event('online')));
  await renewed;
}

/** From now on no renewal of this screen reaches the server. */
export async function cutRenewals(viewer: Page): Promise<{ letThrough(): Promise<void> }> {
  await viewer.route('**/api/v1/view/renew', (route) => route.abort());
  return { letThrough: () => viewer.unroute('**/api/v1/view/renew') };
}
