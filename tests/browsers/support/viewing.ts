import type { Tab } from './tab.ts';
import { button, css } from './targets.ts';

/** Through the door of a link, and the question of age where it is asked. */
export async function enter(viewer: Tab, address: string, { isAsked = true } = {}): Promise<void> {
  await viewer.open(address);
  await viewer.tap(button('Open'));
  if (isAsked) await viewer.tap(button('Yes'));
}

export const painted = css('#grid canvas[data-painted]');

/** Waits until so many photos of the gallery are sharp. */
export const untilPainted = (viewer: Tab, photos: number): Promise<void> =>
  viewer.waitFor(
    `${photos} photos are painted`,
    (count) => document.querySelectorAll('#grid canvas[data-painted]').length >= count,
    photos,
  );

/** Waits until the photo that is open is sharp. */
export const untilSlidePainted = (viewer: Tab): Promise<void> =>
  viewer.waitFor(
    'the open photo is painted',
    () =>
      document.querySelector(
        '.slide[data-current] canvas.full[data-painted], .slide[data-current] canvas[data-painted]',
      ) !== null,
  );

/** Nothing of any picture is left. */
export const untilDark = (viewer: Tab): Promise<void> =>
  viewer.waitFor('no picture is left', () => document.querySelectorAll('canvas').length === 0);

/** The second at which the video is. */
export const playhead = (viewer: Tab): Promise<number> =>
  viewer.evaluate(() => document.querySelector<HTMLVideoElement>('video.video')?.currentTime ?? 0);

/** Waits until the video has come so far. */
export const untilPlayed = (viewer: Tab, seconds: number): Promise<void> =>
  viewer.waitFor(
    `the video has played ${seconds} s`,
    (from) => (document.querySelector<HTMLVideoElement>('video.video')?.currentTime ?? 0) > from,
    seconds,
    90,
  );
