import { appendFileSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import axe from 'axe-core';
import { findCutOff, findMoving, findSmall, findSpilled } from './looking-in-page.ts';

/** The two sizes that every screen is looked at in. */
export const sizes = [
  { size: 'phone', width: 390, height: 844 },
  { size: 'desk', width: 1280, height: 800 },
] as const;

/** The narrowest phone, and a small screen at a zoom of 200 % (WCAG 1.4.10 and 1.4.4). */
const narrow = [
  { width: 320, height: 640 },
  { width: 640, height: 400 },
] as const;

/** Returns where the pictures of this run are. */
export const pictureOf = (name: string, size: 'phone' | 'desk'): string =>
  path.join(test.info().project.outputDir, 'screens', `${name}-${size}.png`);

/** The main journeys of every day look for what is too wide, cut off or too small; the rest of a look waits for all journeys. */
const isQuick = process.env.PF_LOOKS === 'quick';

/** Every worker of this run writes down here what it has looked at; a file of stories reads its own lines. */
const notes = () => path.join(test.info().project.outputDir, 'screens', 'looked.txt');
const storyFile = () => path.basename(test.info().file);

function noteLook(page: Page, size: string): void {
  mkdirSync(path.dirname(notes()), { recursive: true });
  appendFileSync(notes(), `${storyFile()} ${size} ${new URL(page.url()).pathname}\n`);
}

/** Returns what the stories of this file have looked at so far. */
export const readLooks = (): { size: string; address: string }[] =>
  readFileSync(notes(), 'utf8')
    .split('\n')
    .map((line) => line.split(' '))
    .filter(([file]) => file === storyFile())
    .map(([, size = '', address = '']) => ({ size, address }));

export interface Look {
  /** The picture's name. */
  name: string;
  themes: readonly ('light' | 'dark')[];
  /** Waits until everything that belongs to the screen is there. */
  untilStill: (page: Page) => Promise<void>;
}

/**
 * Looks at one screen: in both sizes no way sideways and nothing cut off; on the phone everything can be tapped by a thumb. A
 * whole look takes its picture in each theme, asks axe, and goes down to 320 px and 200 %. The page gets its own size back.
 */
export async function lookAt(page: Page, { name, themes, untilStill }: Look): Promise<void> {
  const before = page.viewportSize();
  for (const { size, width, height } of sizes) {
    await page.setViewportSize({ width, height });
    if (!isQuick) await takePictures(page, { name, themes, untilStill }, size);
    else {
      await untilStill(page);
      await untilCalm(page);
    }
    noteLook(page, size);
    await expectWhole(page, name);
    if (size === 'phone')
      expect.soft(await page.evaluate(findSmall), `${name}: each target has 44 px for a thumb`).toEqual([]);
  }
  if (!isQuick) {
    await page.emulateMedia({ colorScheme: themes[0] ?? null });
    for (const size of narrow) {
      await page.setViewportSize(size);
      await untilCalm(page);
      await expectWhole(page, name);
    }
  }
  if (before) await page.setViewportSize(before);
}

/** Each theme's picture in one size, and what axe says of it. */
async function takePictures(page: Page, { name, themes, untilStill }: Look, size: 'phone' | 'desk'): Promise<void> {
  for (const theme of themes) {
    await page.emulateMedia({ colorScheme: theme });
    await untilStill(page);
    await untilCalm(page);
    const picture = theme === themes[0] ? name : `${name}-${theme}`;
    await page.screenshot({ path: pictureOf(picture, size), animations: 'disabled', scale: 'css' });
    await expectAccessible(page, `${picture} (${size})`, theme === themes[0] ? {} : { runOnly: 'color-contrast' });
  }
}

/** Nothing moves any more but what moves for ever; the layout has had its frames since the last change of size. */
export async function untilCalm(page: Page): Promise<void> {
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
  await expect.poll(() => page.evaluate(findMoving), { intervals: [20, 50, 100] }).toEqual([]);
}

/** Nothing has to be moved sideways, and nothing that can be read or tapped is cut off. */
export async function expectWhole(page: Page, name: string): Promise<void> {
  const width = page.viewportSize()?.width;
  const wideBy = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  expect.soft(wideBy, `${name}: wider than a screen of ${width} px`).toBeLessThanOrEqual(0);
  expect.soft(await page.evaluate(findCutOff), `${name}: cut off on a screen of ${width} px`).toEqual([]);
  expect.soft(await page.evaluate(findSpilled), `${name}: over its neighbours on a screen of ${width} px`).toEqual([]);
}

/**
 * No serious finding of axe on this screen. What was just fading out while axe looked is gone at a second look; a fault stays.
 * @param rules left out, all of them: of a second theme only the colours are new
 */
export async function expectAccessible(page: Page, name: string, rules: axe.RunOptions = {}): Promise<void> {
  let found = await findSerious(page, rules);
  if (found.length > 0) {
    await untilCalm(page);
    found = await findSerious(page, rules);
  }
  expect.soft(found, `${name}: axe`).toEqual([]);
}

/** What axe finds on this screen that keeps people from using it. */
export async function findSerious(page: Page, rules: axe.RunOptions): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(`${axe.source};0`);
  const violations = await page.evaluate(async (options) => {
    const { axe } = window as unknown as { axe: typeof import('axe-core') };
    // Beside an open menu stand places that hand the focus on as soon as they get it: nobody stays on one.
    const context = { exclude: ['[data-base-ui-focus-guard]'] };
    return (await axe.run(context, { ...options, resultTypes: ['violations'] })).violations;
  }, rules);
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  return serious.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join('\n')}`,
  );
}
