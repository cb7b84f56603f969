import { appendFileSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import axe from 'axe-core';
import { findCutOff, findMoving, findSmall } from './looking-in-page.ts';

/** The two sizes that every screen is looked at in (design: the look). */
export const sizes = [
  { size: 'phone', width: 390, height: 844 },
  { size: 'desk', width: 1280, height: 800 },
] as const;

/** The narrowest phone, and a small desk at a zoom of 200 % (WCAG 1.4.10 and 1.4.4). */
const narrow = [
  { width: 320, height: 640 },
  { width: 640, height: 400 },
] as const;

/** Where the pictures of this run are. */
export const pictureOf = (name: string, size: 'phone' | 'desk'): string =>
  path.join(test.info().project.outputDir, 'screens', `${name}-${size}.png`);

/** Every worker of this run writes down here what it has looked at; a file of stories reads its own lines. */
const notes = () => path.join(test.info().project.outputDir, 'screens', 'looked.txt');
const storyFile = () => path.basename(test.info().file);

const noteLook = (page: Page, size: string): void =>
  appendFileSync(notes(), `${storyFile()} ${size} ${new URL(page.url()).pathname}\n`);

/** What the stories of this file have looked at so far. */
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
 * Looks at one screen: in both sizes and each theme its picture, axe, no way sideways; on the phone everything can be tapped by
 * a thumb; at 320 px and at 200 % nothing is cut off. The page gets its own size back.
 */
export async function lookAt(page: Page, { name, themes, untilStill }: Look): Promise<void> {
  const before = page.viewportSize();
  for (const { size, width, height } of sizes) {
    await page.setViewportSize({ width, height });
    for (const theme of themes) {
      await page.emulateMedia({ colorScheme: theme });
      await untilStill(page);
      await untilCalm(page);
      const picture = theme === themes[0] ? name : `${name}-${theme}`;
      await page.screenshot({ path: pictureOf(picture, size), animations: 'disabled', scale: 'css' });
      await expectAccessible(page, `${picture} (${size})`, theme === themes[0] ? {} : { runOnly: 'color-contrast' });
    }
    noteLook(page, size);
    await expectWhole(page, name);
    if (size === 'phone')
      expect.soft(await page.evaluate(findSmall), `${name}: each target has 44 px for a thumb`).toEqual([]);
  }
  await page.emulateMedia({ colorScheme: themes[0] ?? null });
  for (const size of narrow) {
    await page.setViewportSize(size);
    await untilCalm(page);
    await expectWhole(page, name);
  }
  if (before) await page.setViewportSize(before);
}

/** Nothing moves any more but what moves for ever; the layout has had its frames since the last change of size. */
async function untilCalm(page: Page): Promise<void> {
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
  await expect.poll(() => page.evaluate(findMoving), { intervals: [20, 50, 100] }).toEqual([]);
}

/** Nothing has to be moved sideways, and nothing that can be read or tapped is cut off. */
async function expectWhole(page: Page, name: string): Promise<void> {
  const width = page.viewportSize()?.width;
  const wideBy = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  expect.soft(wideBy, `${name}: wider than a screen of ${width} px`).toBeLessThanOrEqual(0);
  expect.soft(await page.evaluate(findCutOff), `${name}: cut off on a screen of ${width} px`).toEqual([]);
}

/** No serious finding of axe on this screen. @param rules left out, all of them: of a second theme only the colours are new */
async function expectAccessible(page: Page, name: string, rules: axe.RunOptions): Promise<void> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(`${axe.source};0`);
  const violations = await page.evaluate(async (options) => {
    const { axe } = window as unknown as { axe: typeof import('axe-core') };
    // Beside an open menu stand places that hand the focus on as soon as they get it: nobody stays on one.
    const context = { exclude: ['[data-base-ui-focus-guard]'] };
    return (await axe.run(context, { ...options, resultTypes: ['violations'] })).violations;
  }, rules);
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  const found = serious.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join('\n')}`,
  );
  expect.soft(found, `${name}: axe`).toEqual([]);
}
