import type { Locator, Page } from '@playwright/test';

/** A point of the screen, CSS pixels. */
export interface Spot {
  x: number;
  y: number;
}

/** One finger's way, from where it is put down to where it is lifted. */
export type Way = readonly [from: Spot, to: Spot];

/** Fingers on a screen, as the browser itself feels them. */
export interface Fingers {
  /** Puts a finger down for each way, moves them together in small steps and lifts them. */
  move(ways: readonly Way[], how?: { holdMs?: number; steps?: number }): Promise<void>;
  /** Taps, or taps several times at once. */
  tap(at: Spot, times?: number): Promise<void>;
}

/** Fingers for a page that has a touch screen. */
export async function openFingers(page: Page): Promise<Fingers> {
  const line = await page.context().newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', spots: readonly Spot[]) =>
    line.send('Input.dispatchTouchEvent', { type, touchPoints: spots.map((spot, id) => ({ ...spot, id })) });
  return {
    async move(ways, { holdMs = 0, steps = 10 } = {}) {
      const along = (share: number) =>
        ways.map(([from, to]) => ({ x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share }));
      await touch('touchStart', along(0));
      await page.waitForTimeout(holdMs);
      for (let step = 1; step <= steps; step++) await touch('touchMove', along(step / steps));
      await touch('touchEnd', []);
    },
    async tap(at, times = 1) {
      // Sent without waiting in between: a slow answer would make a long press of it.
      await Promise.all(Array.from({ length: times }, () => [touch('touchStart', [at]), touch('touchEnd', [])]).flat());
    },
  };
}

/** The middle of what is on the screen. */
export async function middleOf(what: Locator): Promise<Spot> {
  const box = await what.boundingBox();
  if (box === null) throw new Error('It is not on the screen.');
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}
