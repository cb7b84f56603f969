import { chromium } from '@playwright/test';
import { afterEach, expect, test, vi } from 'vitest';
import { findBrowser } from './support/browser.ts';

afterEach(() => vi.unstubAllEnvs());

test('a CHROMIUM_PATH that is no browser is refused by its name, never passed over', async () => {
  vi.stubEnv('CHROMIUM_PATH', '/bin/false');
  await expect(findBrowser()).rejects.toThrow('CHROMIUM_PATH is /bin/false, which does not run as a browser.');
});

test('the browser found runs and can do what the viewer app needs', async () => {
  const { executablePath, args, env, said } = await findBrowser();
  expect(said).toMatch(/^browser: \S+ [\d.]+ .*(npm|CHROMIUM_PATH|this machine|Playwright)/);
  const browser = await chromium.launch({ executablePath, args, env: { ...process.env, ...env } });
  const page = await browser.newPage();
  const abilities = await page.evaluate(`(async () => {
    const canvas = new OffscreenCanvas(8, 8);
    canvas.getContext('2d').fillRect(0, 0, 8, 8);
    const picture = await canvas.convertToBlob({ type: 'image/webp' });
    const { width } = await createImageBitmap(picture);
    const code = "postMessage(typeof new OffscreenCanvas(1, 1).getContext('2d').drawImage)";
    const worker = new Worker(URL.createObjectURL(new Blob([code])));
    const drawsInWorker = await new Promise((resolve) => (worker.onmessage = ({ data }) => resolve(data)));
    return { type: picture.type, width, drawsInWorker };
  })()`);
  await browser.close();
  expect(abilities).toEqual({ type: 'image/webp', width: 8, drawsInWorker: 'function' });
});
