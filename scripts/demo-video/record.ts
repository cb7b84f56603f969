import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from '@playwright/test';

/** A picture of a screen, and when it was taken, in milliseconds since 1970. */
interface Frame {
  file: string;
  at: number;
}

/** What one screen showed. */
export interface Roll {
  frames: Frame[];
  stop(): Promise<void>;
}

/** Takes down what a page shows, whenever it changes. @param folder where its pictures go */
export async function roll(page: Page, folder: string): Promise<Roll> {
  mkdirSync(folder, { recursive: true });
  const frames: Frame[] = [];
  const keep = (data: Buffer) => {
    const file = path.join(folder, `${frames.length}.jpg`);
    writeFileSync(file, data);
    frames.push({ file, at: Date.now() });
  };
  keep(await page.screenshot({ type: 'jpeg', quality: 95 }));
  await page.screencast.start({
    onFrame: ({ data }) => keep(data),
    size: page.viewportSize() ?? { width: 0, height: 0 },
    quality: 95,
  });
  await page.screencast.showActions({
    cursor: 'pointer',
    style: { title: 'display: none', highlight: 'display: none' },
  });
  return { frames, stop: () => page.screencast.stop() };
}

/** What is left of the time when waits are cut out. */
export interface Cut {
  from: number;
  to: number;
}

/** Milliseconds into the video of a moment. */
export function placeOf(at: number, began: number, cuts: readonly Cut[]): number {
  const lost = cuts.reduce((sum, { from, to }) => sum + Math.max(0, Math.min(at, to) - from), 0);
  return Math.max(0, at - began - lost);
}

/** A list that ffmpeg shows picture by picture (`concat`), from the first moment to the last. */
export function listPictures(shown: readonly { file: string; ms: number }[], endMs: number): string {
  const listed = shown.flatMap(({ file, ms }, at) => {
    const from = at === 0 ? 0 : ms;
    const seconds = ((shown[at + 1]?.ms ?? endMs) - from) / 1000;
    const lines = [`file '${file}'`, `duration ${seconds.toFixed(3)}`];
    // The very first picture of a list does not come through: it stands there twice.
    return seconds <= 0 ? [] : at === 0 ? [`file '${file}'`, 'duration 0.040', ...lines] : lines;
  });
  const last = shown.at(-1);
  return ['ffconcat version 1.0', ...listed, ...(last ? [`file '${last.file}'`] : [])].join('\n');
}
