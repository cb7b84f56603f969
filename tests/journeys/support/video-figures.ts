import type { Locator } from '@playwright/test';
import { expect } from './app.ts';
import { call } from './calls.ts';
import { apartOf, isDrawn, levelsOfParts } from './levels.ts';
import type { MadeVideo } from './made-video.ts';

interface Figures {
  plays: number;
  completions: number;
  /** How many of the plays showed each of its seconds. */
  shown: number[];
  /** All that was shown, in seconds: the last one of a video may be shorter, and counts as one. */
  shownSeconds: number;
}

/** What the figures say of the only video. */
export async function readFigures({ page, url, seconds }: MadeVideo): Promise<Figures> {
  const { videos } = await call<{ videos: { mediaId: string; plays: number; completions: number }[] }>(
    page,
    url,
    'GET',
    '/insights/videos',
  );
  const [video] = videos;
  if (video === undefined) return { plays: 0, completions: 0, shown: [], shownSeconds: 0 };
  const { seconds: shown } = await call<{ seconds: number[] }>(page, url, 'GET', `/insights/videos/${video.mediaId}`);
  const shownSeconds = shown.reduce((sum, plays) => sum + plays, 0);
  return { plays: video.plays, completions: video.completions, shown: shown.slice(0, seconds), shownSeconds };
}

/** What the words under the plays say: how many of them came to the end, and for how long it was watched. */
export async function readWords(videos: Locator): Promise<{ toTheEnd: string; watchedMs: number; rest: string }> {
  const words = (await videos.getByText('% watched to the end').textContent()) ?? '';
  const [, toTheEnd = '', minutes = 0, seconds = 0, rest = ''] =
    /^(.+) · (?:(\d+) min )?(\d+) s in total · (.+)$/.exec(words) ?? [];
  return { toTheEnd, watchedMs: 1000 * (60 * Number(minutes) + Number(seconds)), rest };
}

/** What the curve says of a second. */
export async function readCurve(videos: Locator, second: number): Promise<string | null> {
  const moments = videos.getByRole('slider', { name: 'Still watching by moment' });
  await moments.fill(String(second));
  await moments.blur();
  return moments.getAttribute('aria-valuetext');
}

/** Moments of a video in the strip under its curve. */
const stripCells = 6;

/** Under the curve lie moments of the video from its beginning to its end, each of them drawn. */
export async function expectStrip(videos: Locator): Promise<void> {
  const readCells = async () => {
    const canvas = videos.locator('[aria-hidden] > canvas');
    const drawn = await canvas.evaluate((strip: HTMLCanvasElement) => strip.toDataURL());
    return levelsOfParts(Buffer.from(drawn.split(',')[1] ?? '', 'base64'), stripCells);
  };
  await expect
    .poll(async () => (await readCells()).map(isDrawn), { timeout: 30_000 })
    .toEqual(Array(stripCells).fill(true));
  const cells = await readCells();
  const [first = Buffer.of(), last = first] = [cells[0], cells.at(-1)];
  expect(apartOf(first, last), 'its end is not its beginning').toBeGreaterThan(2);
}
