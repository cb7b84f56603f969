import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { watchAttention } from './attention.ts';

const minute = 60_000;
let frame: EventTarget;
let over: AbortController;

beforeEach(() => {
  [frame, over] = [new EventTarget(), new AbortController()];
  const page = Object.assign(new EventTarget(), {
    visibilityState: 'visible',
    hasFocus: () => true,
    documentElement: { toggleAttribute: () => true },
  });
  vi.stubGlobal('document', page);
  vi.stubGlobal('addEventListener', frame.addEventListener.bind(frame));
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => {
  over.abort();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it.each([1, 5, 60])(
  'nobody looks any more when a screen was not touched for %d minutes, if these are set',
  (minutes) => {
    const attention = watchAttention(minutes * minute, () => undefined, over.signal);
    vi.advanceTimersByTime(minutes * minute - 1);
    expect([attention.isLooking(), attention.isIdle()]).toEqual([true, false]);
    vi.advanceTimersByTime(1);
    expect([attention.isLooking(), attention.isIdle()]).toEqual([false, true]);
    frame.dispatchEvent(new Event('pointermove'));
    expect([attention.isLooking(), attention.isIdle()]).toEqual([true, false]);
  },
);

it('a video that plays is looked at without a touch', () => {
  const attention = watchAttention(minute, () => undefined, over.signal);
  attention.hold(true);
  vi.advanceTimersByTime(10 * minute);
  expect(attention.isIdle()).toBe(false);
  attention.hold(false);
  vi.advanceTimersByTime(minute);
  expect(attention.isIdle()).toBe(true);
});
