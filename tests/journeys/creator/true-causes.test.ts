import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { expect, test } from '../support/app.ts';
import { makeAlbum, openNewAlbum } from '../support/calls.ts';
import { pictureFiles } from '../support/seeded-data.ts';
import { becomeDemo, enter, makeLink, openDoor, photosOf } from '../support/steps.ts';

/** What a browser, a network or a messenger does to a page is borne where that is possible, and else told by its own name. */
test.setTimeout(180_000);

const folder = mkdtempSync(path.join(tmpdir(), 'pf-dropped-'));
test.afterAll(() => rmSync(folder, { recursive: true, force: true }));
const choose = (page: Page, files: Parameters<ReturnType<Page['locator']>['setInputFiles']>[0]) =>
  page.getByLabel('Photos to upload').setInputFiles(files);
const isPart = /\/files\/[0-9a-f-]+$/;

test('a network that lets no PATCH through gets the same bytes as a POST; one that lets neither through is named', async ({
  page,
  app,
}) => {
  await app.newCreator(page);
  await openNewAlbum(page, app.url, 'Office');
  await page.route(isPart, (route) =>
    route.request().method() === 'PATCH'
      ? route.fulfill({ status: 405, contentType: 'text/html', body: '<h1>Not allowed</h1>' })
      : route.fallback(),
  );
  await choose(page, pictureFiles('evening'));
  await expect(photosOf(page)).toHaveCount(1, { timeout: 60_000 });

  const isBlocked = (method: string) => method === 'PATCH' || method === 'POST';
  await page.route(isPart, (route) => (isBlocked(route.request().method()) ? route.abort() : route.fallback()));
  await choose(page, pictureFiles('lamp'));
  await expect(page.getByText("Your network doesn't let uploads through.")).toBeVisible({ timeout: 90_000 });
  await expect(page.getByText('Starting…')).toHaveCount(0);
  await page.unroute(isPart);
  await page.getByRole('button', { name: /^Try again/ }).click();
  await expect(photosOf(page)).toHaveCount(2, { timeout: 60_000 });
});

test('a file without bytes says why, and is not tried again', async ({ page, app }) => {
  await app.newCreator(page);
  await openNewAlbum(page, app.url, 'Cloud');
  await choose(page, { name: 'zero.jpg', mimeType: 'image/jpeg', buffer: Buffer.alloc(0) });
  await expect(
    page.getByText("This file is empty. If it's in the cloud, download it to your device first"),
  ).toBeVisible();
  await expect(page.getByRole('button', { name: /^Try again/ })).toHaveCount(0);
  await page.getByRole('button', { name: /^Remove/ }).click();
  await expect(page.getByText('This file is empty.')).toHaveCount(0);
});

test('a folder that is dropped on an album is walked', async ({ page, app }) => {
  await app.newCreator(page);
  await openNewAlbum(page, app.url, 'Dropped');
  const trip = path.join(folder, 'Trip');
  mkdirSync(path.join(trip, 'Day 1'), { recursive: true });
  mkdirSync(path.join(folder, 'Empty'));
  for (const [n, file] of pictureFiles('dunes', 'linen').entries())
    writeFileSync(path.join(trip, n === 0 ? 'one.jpg' : 'Day 1/two.jpg'), readFileSync(file));
  writeFileSync(path.join(trip, '.DS_Store'), 'x');
  const drop = async (dropped: string) => {
    const { x, y, width, height } = (await page.getByRole('region', { name: 'Photos' }).boundingBox()) ?? {
      x: 0,
      y: 0,
      width: 0,
      height: 0,
    };
    const line = await page.context().newCDPSession(page);
    const data = { items: [], files: [dropped], dragOperationsMask: 1 };
    for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
      await line.send('Input.dispatchDragEvent', { type, x: x + width / 2, y: y + height / 2, data });
  };
  await drop(path.join(folder, 'Empty'));
  await expect(page.getByText('There are no files in that folder.')).toBeVisible();
  await drop(trip);
  await expect(photosOf(page)).toHaveCount(2, { timeout: 60_000 });
});

test('whoever blocks cookies is told so when signing in', async ({ page, app, browser }) => {
  const { email, password } = await app.newCreator(page);
  const blocked = /Your browser blocks cookies for .+, so you can't sign in/;
  const signIn = async (on: Page) => {
    await on.goto(`${app.url}/auth`);
    await on.getByLabel('Email').fill(email);
    await on.getByLabel('Password', { exact: true }).fill(password);
    await on.getByRole('button', { name: 'Sign In', exact: true }).click();
  };
  const none = await (await browser.newContext()).newPage();
  await none.addInitScript(() => Object.defineProperty(document, 'cookie', { get: () => '', set: () => undefined }));
  const calls: string[] = [];
  none.on('request', (request) => void (request.url().includes('signIn') && calls.push(request.url())));
  await signIn(none);
  await expect(none.getByRole('main').getByText(blocked)).toBeVisible();
  expect(calls, 'nothing was sent').toEqual([]);
  await none.context().close();

  const dropped = await (await browser.newContext()).newPage();
  await dropped.route(/\/rpc\/accounts\/signIn/, async (route) => {
    const answer = await route.fetch();
    const { 'set-cookie': _kept, ...headers } = answer.headers();
    await dropped.context().clearCookies();
    await route.fulfill({ response: answer, headers });
    await dropped.context().clearCookies();
  });
  await signIn(dropped);
  await expect(dropped.getByRole('main').getByText(blocked)).toBeVisible();
  await expect(dropped.getByText('Welcome back!')).toHaveCount(0);
  await dropped.context().close();
});

test('what a messenger takes along behind a link opens the link', async ({ page, app, browser }) => {
  await becomeDemo(page, app);
  const { url } = await makeLink(page, app.url, {});
  for (const end of ['.', ',', ')', '!', '>', '*', '%20', '%E2%80%8B', '/']) {
    const { phone, viewer } = await openDoor(browser, `${url}${end}`);
    await viewer.getByRole('button', { name: 'Open', exact: true }).click();
    await expect(viewer.getByRole('button', { name: 'Yes' }), `behind it: ${end}`).toBeVisible();
    await phone.close();
  }
});

test('a browser without workers opens a link all the same', async ({ page, app, browser }) => {
  await app.newCreator(page);
  await makeAlbum(page, app.url, 'Still', pictureFiles('evening'));
  const { url } = await makeLink(page, app.url, {});
  const context = await browser.newContext();
  const viewer = await context.newPage();
  await viewer.addInitScript(() => Reflect.deleteProperty(window, 'Worker'));
  await viewer.goto(url);
  await enter(viewer, 1);
  await context.close();
});

test("under another name than the installation's one is told where it is", async ({ page, app }) => {
  const { email, password } = await app.newCreator(page);
  await page.context().clearCookies();
  const elsewhere = app.url.replace('localhost', 'localhost.').replace('127.0.0.1', 'localhost.');
  await page.goto(`${elsewhere}/auth`);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(
    page.getByRole('main').getByText(`PrivateFans is set up for ${app.url}. Open it there and try again.`),
  ).toBeVisible();
});

test('a device whose clock is wrong tells the same times as every other', async ({ page, app, browser }) => {
  await becomeDemo(page, app);
  const cookies = await page.context().cookies();
  const timesOf = async (wrongMs: number) => {
    const context = await browser.newContext();
    await context.addCookies(cookies);
    const device = await context.newPage();
    await device.addInitScript(`
      const Right = Date;
      Date = class extends Right {
        constructor(...at) {
          super(...(at.length === 0 ? [Date.now()] : at));
        }
        static now() {
          return Right.now() + ${wrongMs};
        }
      };
    `);
    await device.goto(`${app.url}/magic-links`);
    const rows = device.getByRole('list', { name: 'Magic links' }).getByRole('listitem');
    await expect(rows.getByText(/\d[mhd]\sago/).first()).toBeVisible({ timeout: 20_000 });
    const times = (await rows.allTextContents()).flatMap((row) => row.match(/just now|\d+[mhd]\sago/gi) ?? []);
    await context.close();
    return times;
  };
  // A minute may pass between two of them.
  await expect(async () => {
    const right = await timesOf(0);
    expect(right.length).toBeGreaterThan(0);
    expect(await timesOf(3 * 86_400_000)).toEqual(right);
    expect(await timesOf(-3 * 86_400_000)).toEqual(right);
  }).toPass({ timeout: 60_000 });
});

test('where the system chooses all colours, buttons have a line and what is chosen looks chosen', async ({
  page,
  app,
}) => {
  await becomeDemo(page, app);
  await page.emulateMedia({ forcedColors: 'active' });
  await page.goto(`${app.url}/magic-links`);
  const look = (of: ReturnType<Page['locator']>) =>
    of.evaluate((element) => {
      const { borderTopWidth, borderTopColor, backgroundColor } = getComputedStyle(element);
      return { line: borderTopWidth, border: borderTopColor, ground: backgroundColor };
    });
  const create = await look(page.getByRole('button', { name: /link/i }).first());
  expect(create.line).toBe('1px');
  expect(create.border).not.toBe(create.ground);
  const chips = page.getByRole('group', { name: /./ }).first().locator('label');
  const [chosen, other] = [await look(chips.nth(0)), await look(chips.nth(1))];
  expect(chosen.ground).not.toBe(other.ground);
});
