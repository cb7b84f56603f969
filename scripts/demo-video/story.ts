import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from '@playwright/test';
import sharp from 'sharp';
import { pictures } from '#db/scenes/pictures.ts';

/** Who plays, and how it is told. */
export interface Stage {
  url: string;
  studio: Page;
  phone: Page;
  folder: string;
  /** From now on this stands under the screens. */
  say(caption: string): void;
  /** Leaves what happens meanwhile out of the video. */
  cut<T>(work: () => Promise<T>): Promise<T>;
}

const shown = ['dunes', 'sea', 'evening'];

async function drawPhotos(folder: string): Promise<string[]> {
  return Promise.all(
    shown.map(async (name) => {
      const file = path.join(folder, `${name}.jpg`);
      const svg = pictures[name]?.() ?? '';
      writeFileSync(file, await sharp(Buffer.from(svg)).jpeg({ quality: 92 }).toBuffer());
      return file;
    }),
  );
}

/** Upload → link → viewer → live → revoke → trace. */
export async function notifyStory(stage: Stage): Promise<void> {
  const { studio, phone } = stage;
  await uploadPhotos(stage);
  const address = await makeLink(stage);
  await openLink(stage, address);
  const copy = path.join(stage.folder, 'copy.png');
  await watchLive(stage, copy);
  await revoke(stage);
  await trace(stage, copy);
  await Promise.all([studio.waitForTimeout(5000), phone.waitForTimeout(5000)]);
}

async function uploadPhotos({ studio, folder, say, cut }: Stage): Promise<void> {
  say('Upload photos into a private album.');
  await studio.waitForTimeout(1500);
  await studio.getByLabel('Name').pressSequentially('Sunday light', { delay: 70 });
  await studio.getByRole('button', { name: 'Create album' }).click();
  await studio.getByRole('heading', { name: 'Sunday light' }).waitFor();
  await studio.waitForTimeout(1200);
  const files = await drawPhotos(folder);
  await studio.locator('input[type=file]').first().setInputFiles(files);
  await studio.waitForTimeout(4500);
  await cut(async () => {
    await untilReady(studio);
    await studio.waitForTimeout(500);
  });
  await studio.waitForTimeout(1500);
}

/** Every photo of the album that is open has been made ready. */
async function untilReady(studio: Page): Promise<void> {
  const { origin, pathname } = new URL(studio.url());
  for (let tries = 0; tries < 600; tries++) {
    const answer = await studio.request.get(`${origin}/api/v1${pathname}`, { headers: { 'x-csrf-token': 'orpc' } });
    const { items } = (await answer.json()) as { items: { state: string }[] };
    if (items.length === shown.length && items.every(({ state }) => state === 'ready')) return;
    await studio.waitForTimeout(250);
  }
  throw new Error('The photos did not become ready.');
}

async function makeLink({ studio, say }: Stage): Promise<string> {
  say('Make a link. The rules read like a sentence.');
  await studio.getByRole('link', { name: 'Share' }).first().click();
  await studio.getByRole('dialog').waitFor();
  await studio.waitForTimeout(1600);
  await studio.getByRole('dialog').getByRole('button', { name: 'Link name' }).click();
  await studio.getByLabel('Link name').last().pressSequentially('Bob', { delay: 150 });
  await studio.waitForTimeout(500);
  await studio.getByRole('button', { name: 'Done' }).click();
  await studio.waitForTimeout(900);
  await studio.getByRole('button', { name: 'Copy link' }).click();
  await studio.waitForTimeout(2200);
  return studio.evaluate<string>('navigator.clipboard.readText()');
}

async function openLink({ studio, phone, say }: Stage, address: string): Promise<void> {
  say('Bob taps it. No app, no account.');
  await phone.goto(address);
  await phone.waitForTimeout(1800);
  await phone.getByRole('button', { name: 'Open', exact: true }).click();
  await phone.waitForTimeout(1200);
  await phone.getByRole('button', { name: 'Yes' }).click();
  await studio.goto(new URL('/analytics', studio.url()).href);
  await phone.locator('#grid canvas[data-painted]').nth(2).waitFor({ timeout: 60_000 });
  await phone.waitForTimeout(1800);
}

async function watchLive({ studio, phone, say }: Stage, copy: string): Promise<void> {
  say('You see who is looking, and at which photo.');
  await phone.getByRole('button', { name: 'Photo 1 of 3' }).click();
  await phone.locator('.slide[data-current] canvas.full[data-painted]').waitFor({ timeout: 60_000 });
  await phone.evaluate("dispatchEvent(new Event('online'))");
  await studio.getByText('is looking now').first().waitFor({ timeout: 60_000 });
  await studio.getByText('photo 1 of 3').first().waitFor({ timeout: 60_000 });
  await phone.waitForTimeout(4200);
  say('Bob takes a screenshot.');
  await phone.waitForTimeout(600);
  await phone.screenshot({ path: copy, scale: 'device' });
  await phone.waitForTimeout(2200);
}

async function revoke({ studio, phone, say }: Stage): Promise<void> {
  say('Take the link back, and his screen closes.');
  await studio.goto(new URL('/magic-links', studio.url()).href);
  await studio.getByRole('list', { name: 'Magic links' }).waitFor();
  await studio.waitForTimeout(1800);
  await studio
    .getByRole('button', { name: /^Actions for/ })
    .first()
    .click();
  await studio.waitForTimeout(900);
  await studio.getByRole('menuitem', { name: /Revoke/ }).click();
  await studio.waitForTimeout(1500);
  await studio.getByRole('dialog').getByRole('button', { name: 'Revoke link' }).click();
  await phone.getByRole('heading', { name: 'Access ended' }).waitFor({ timeout: 60_000 });
  await phone.waitForTimeout(3200);
}

async function trace({ studio, say, cut }: Stage, copy: string): Promise<void> {
  say('His screenshot turns up somewhere? Check the copy.');
  await studio.goto(new URL('/albums', studio.url()).href);
  await studio.getByRole('link', { name: /Sunday light/ }).click();
  await studio.getByRole('link', { name: 'Found a leak?' }).click();
  await studio.getByRole('heading', { name: 'Found a leak?' }).waitFor();
  await studio.waitForTimeout(1200);
  await studio
    .getByLabel('The leaked copy')
    .setInputFiles({ name: 'found.png', mimeType: 'image/png', buffer: readFileSync(copy) });
  await studio.waitForTimeout(2500);
  const verdict = studio.getByRole('heading', { name: /^This copy/ });
  await cut(async () => {
    await verdict.waitFor({ timeout: 400_000 });
    await studio.waitForTimeout(300);
  });
  say('The invisible mark names the link.');
  await studio.waitForTimeout(2500);
  await verdict.scrollIntoViewIfNeeded();
}
