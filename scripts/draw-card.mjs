/**
 * Draws the picture that a messenger shows beside a link: the same for every link, with nothing of any creator in it.
 * Run by hand when the look changes: CHROMIUM_PATH=/usr/bin/chromium node scripts/draw-card.mjs
 */
import { readFileSync } from 'node:fs';
import { chromium } from '@playwright/test';

const folder = new URL('../src/features/viewing/viewer-app/', import.meta.url);
const font = readFileSync(new URL('fonts/fraunces-frame.woff2', folder)).toString('base64');
const colours = [
  '#8c3f62',
  '#d9a06b',
  '#c7385a',
  '#e3ae90',
  '#e79a52',
  '#7db4bb',
  '#b97f78',
  '#cfc3b4',
  '#5b2a4a',
  '#a34a63',
];
const tiles = Array.from(
  { length: 24 },
  (_, n) => `<i style="background:${colours[(n * 7) % colours.length]}"></i>`,
).join('');
const page = `<!doctype html><style>
@font-face { font-family: Fraunces; src: url(data:font/woff2;base64,${font}) }
* { box-sizing: border-box; margin: 0 }
body { width: 1200px; height: 630px; overflow: hidden; background: oklch(13% 0.015 330); color: oklch(95% 0.01 75); font: 76px/1.1 Fraunces }
div { position: absolute; inset: -60px; display: grid; grid-template-columns: repeat(6, 1fr); filter: blur(38px); opacity: 0.8 }
main { position: absolute; inset: 0; display: grid; place-content: center; text-align: center; background: radial-gradient(farthest-side, oklch(13% 0.015 330 / 0.82), oklch(13% 0.015 330 / 0.4)) }
b { font-weight: 400; color: oklch(75% 0.105 350) }
</style><div>${tiles}</div><main><p>Private<b>Fans</b></p></main>`;

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM_PATH, args: ['--no-sandbox'] });
const tab = await browser.newPage({ viewport: { width: 1200, height: 630 } });
await tab.setContent(page);
await tab.evaluate(() => document.fonts.ready);
await tab.screenshot({ path: new URL('card.jpg', folder).pathname, type: 'jpeg', quality: 72 });
await browser.close();
