import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import type { CDPSession, Page, Request } from '@playwright/test';
import { expect, type HouseOfJourney, test } from './house.ts';
import { becomeDemo, call, makeAlbum, photosOf } from './steps.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'pf-noise-'));
test.afterAll(() => rmSync(folder, { recursive: true, force: true }));
test.setTimeout(300_000);

const megabyte = 1_000_000;

test('an upload whose server is killed in the middle goes on by itself, and the original is byte-identical', async ({
  page,
  house,
}) => {
  const { file, sent } = await beginUpload(page, house, 'Killed');
  await expectSent(page, 9 * megabyte);
  await house.killAndRestart();
  await expect(photosOf(page)).toHaveCount(1, { timeout: 180_000 });
  await expectContinued(sent);
  await expectSameOriginal(page, house, file);
});

test('a reload in the middle asks first, brings the list back and goes on', async ({ page, house }) => {
  const { file, sent } = await beginUpload(page, house, 'Reloaded');
  await expectSent(page, 9 * megabyte);
  let asked = '';
  page.on('dialog', (dialog) => {
    asked = dialog.type();
    return dialog.accept();
  });
  await page.reload();
  expect(asked).toBe('beforeunload');
  await expect(page.getByText('Keep this page open while uploading.', { exact: false })).toBeVisible({
    timeout: 30_000,
  });
  await expect(photosOf(page)).toHaveCount(1, { timeout: 180_000 });
  await expectContinued(sent);
  await expectSameOriginal(page, house, file);
});

test('an upload whose file this browser lost asks to choose it again, and goes on with that file only', async ({
  page,
  house,
}) => {
  const { file, sent, line } = await beginUpload(page, house, 'Lost');
  await expectSent(page, 9 * megabyte);
  page.on('dialog', (dialog) => dialog.accept());
  await drawLine(line, { offline: false });
  // Another browser, as far as files and what was noted of them go.
  const address = page.url();
  await page.goto('about:blank');
  await page.goto(`${house.url}/robots.txt`);
  await page.evaluate(async () => {
    localStorage.clear();
    await new Promise((gone) => {
      indexedDB.deleteDatabase('pf-uploads').onsuccess = gone;
    });
  });
  await page.goto(address);
  await expect(page.getByRole('button', { name: 'Choose it again' })).toBeVisible({ timeout: 30_000 });
  const other = path.join(folder, 'Other.png');
  writeNoise(other);
  await page.getByLabel('The file Lost.png').setInputFiles(other);
  await expect(page.getByText('That is another file. Choose Lost.png again.')).toBeVisible();
  await page.getByLabel('The file Lost.png').setInputFiles(file);
  await expect(photosOf(page)).toHaveCount(1, { timeout: 180_000 });
  await expectContinued(sent);
  await expectSameOriginal(page, house, file);
});

test('an upload outlives a lost network', async ({ page, house }) => {
  const { file, sent, line } = await beginUpload(page, house, 'Offline');
  await expectSent(page, 9 * megabyte);
  await drawLine(line, { offline: true });
  // Long enough for the first tries to fail; no upload is given up.
  await page.waitForTimeout(5000);
  await expect(page.getByRole('listitem', { name: /MB of/ })).toBeVisible();
  await drawLine(line, { offline: false });
  await expect(photosOf(page)).toHaveCount(1, { timeout: 180_000 });
  await expectContinued(sent);
  await expectSameOriginal(page, house, file);
});

/** An album of its own, and a large picture that goes up slowly enough to be caught in the middle. */
async function beginUpload(page: Page, house: HouseOfJourney, name: string) {
  await becomeDemo(page, house);
  await page.goto(`${house.url}/albums?new=1`);
  await makeAlbum(page, name, []);
  const file = path.join(folder, `${name}.png`);
  writeNoise(file);
  const sent: Request[] = [];
  page.on('request', (request) => {
    if (new URL(request.url()).pathname.startsWith('/files')) sent.push(request);
  });
  const line = await page.context().newCDPSession(page);
  await line.send('Network.enable');
  await drawLine(line, { offline: false });
  await page.getByLabel('Photos to upload').setInputFiles(file);
  return { file, sent, line };
}

/** The network as a phone has it outdoors: 3 MB a second upwards, or none. */
const drawLine = (line: CDPSession, { offline }: { offline: boolean }) =>
  line.send('Network.emulateNetworkConditions', {
    offline,
    latency: 20,
    downloadThroughput: -1,
    uploadThroughput: 3 * megabyte,
  });

/** Noise does not compress: 3200 × 3000 pixels are 29 MB as PNG. */
function writeNoise(file: string): void {
  const [width, height] = [3200, 3000];
  const rows = randomBytes(height * (1 + 3 * width));
  for (let row = 0; row < height; row++) rows[row * (1 + 3 * width)] = 0;
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 2], 8);
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    check.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, check]);
  };
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  const chunks = [chunk('IHDR', head), chunk('IDAT', deflateSync(rows, { level: 0 })), chunk('IEND', Buffer.alloc(0))];
  writeFileSync(file, Buffer.concat([signature, ...chunks]));
}

/** Waits until so much of the file is on the server, by the page's own word. */
async function expectSent(page: Page, bytes: number): Promise<void> {
  const tile = page.getByRole('listitem', { name: /MB of/ });
  const read = async () => {
    const [, megabytes = '0'] = /: ([\d.]+) MB of/.exec((await tile.getAttribute('aria-label')) ?? '') ?? [];
    return Number(megabytes) * megabyte;
  };
  await expect.poll(read, { timeout: 60_000, intervals: [100] }).toBeGreaterThan(bytes);
}

/** The file was begun once, and what had arrived was never sent again. */
async function expectContinued(sent: readonly Request[]): Promise<void> {
  expect(sent.filter((request) => request.method() === 'POST')).toHaveLength(1);
  const asked = sent.filter((request) => request.method() === 'HEAD');
  expect(asked.length).toBeGreaterThan(0);
  const answers = await Promise.all(asked.map((request) => request.response().catch(() => null)));
  const offsets = answers.flatMap((answer) => Number(answer?.headers()['upload-offset'] ?? 0));
  expect(Math.max(...offsets)).toBeGreaterThan(0);
}

/** What the owner downloads is what she chose, byte by byte. */
async function expectSameOriginal(page: Page, { url }: HouseOfJourney, file: string): Promise<void> {
  const albumId = new URL(page.url()).pathname.split('/').at(-1);
  const { items } = await call<{ items: { id: string }[] }>(page, url, 'GET', `/albums/${albumId}`);
  const answer = await page.request.get(`${url}/api/media/${items[0]?.id}/original`);
  const hash = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
  expect(hash(await answer.body())).toBe(hash(readFileSync(file)));
}
