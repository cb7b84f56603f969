import { expect, test } from '@playwright/test';
import { findSerious } from '../support/looking.ts';
import { findCutOff } from '../support/looking-in-page.ts';

/** What the pictures of every screen are looked through for, found on pages that have it. */
const cut: Readonly<Record<string, string>> = {
  'words under the foot of their own box':
    '<p style="height:20px;overflow:hidden">One line<br>and another<br>one more</p>',
  'words under the foot of a box around them':
    '<div style="height:30px;overflow:clip"><p>One line</p><p>Another</p></div>',
  'a button under the foot of a card':
    '<div style="height:30px;overflow:hidden"><div style="height:40px"></div><button>Go</button></div>',
  'words kept to two lines, in a box too low for the second': `<div style="display:grid;height:30px">
    <p style="width:60px;min-height:0;margin:0;line-height:24px;overflow:hidden;display:-webkit-box;-webkit-box-orient:vertical;
    -webkit-line-clamp:2">A rather long text of many lines</p></div>`,
  'words beyond the side of their box':
    '<p style="width:60px;overflow:hidden;white-space:nowrap">A rather long line</p>',
};
const whole: Readonly<Record<string, string>> = {
  'words that can be scrolled to': '<div style="height:30px;overflow:auto"><p>One line</p><p>Another</p></div>',
  'words that end in three dots':
    '<p style="width:60px;overflow:hidden;white-space:nowrap;text-overflow:ellipsis">A rather long line</p>',
  'words that are kept to two lines': `<p style="width:60px;overflow:hidden;display:-webkit-box;-webkit-box-orient:vertical;
    -webkit-line-clamp:2">A rather long text of many lines</p>`,
  'a picture that is larger than its frame':
    '<div style="height:30px;overflow:hidden"><div style="height:90px;background:plum"></div></div>',
};

test('what is cut off is found, and what is not is left alone', { tag: '@main' }, async ({ page }) => {
  for (const [name, html] of Object.entries(cut)) {
    await page.setContent(html);
    expect(await page.evaluate(findCutOff), name).not.toEqual([]);
  }
  for (const [name, html] of Object.entries(whole)) {
    await page.setContent(html);
    expect(await page.evaluate(findCutOff), name).toEqual([]);
  }
});

test('what hardly differs from its ground is found', { tag: '@main' }, async ({ page }) => {
  const words = (color: string) => `<main style="background:#fff;color:${color}"><h1>A headline</h1></main>`;
  await page.setContent(words('#eee'));
  expect(await findSerious(page, { runOnly: 'color-contrast' })).toEqual([expect.stringContaining('color-contrast')]);
  await page.setContent(words('#111'));
  expect(await findSerious(page, { runOnly: 'color-contrast' })).toEqual([]);
});
