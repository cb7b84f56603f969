import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { toast, toastStore } from '#ui/feedback/toast.ts';
import {
  actionMs,
  composeToast,
  passTime,
  pickShown,
  type Toast,
  type ToastType,
  tickMs,
} from '#ui/feedback/toast-queue.ts';

const shownTitles = () => pickShown(toastStore.read()).map(({ title }) => title);
const action = { label: 'Undo', onPress: () => undefined };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  toast.clear();
  vi.useRealTimers();
});

describe('toasts', () => {
  it.each([
    ['success', 3000],
    ['info', 3000],
    ['warning', 5000],
    ['error', 8000],
  ] as const)('%s is shown for %i ms', (type, durationMs) => {
    toast[type]({ title: 'one' });
    vi.advanceTimersByTime(durationMs - tickMs);
    expect(shownTitles()).toEqual(['one']);
    vi.advanceTimersByTime(tickMs);
    expect(shownTitles()).toEqual([]);
  });

  it('leaves with its page, unless it goes along or tells what happened elsewhere', () => {
    vi.stubGlobal('location', { pathname: '/albums/one' });
    toast.success({ title: 'moved', action });
    toast.success({ title: 'signed in', goesAlong: true });
    toast.notify('info', { title: 'Bob opened his link' });
    toastStore.leave();
    expect(toastStore.read(), 'still there').toHaveLength(3);
    vi.stubGlobal('location', { pathname: '/albums' });
    toastStore.leave();
    expect(toastStore.read().map(({ title }) => title)).toEqual(['signed in', 'Bob opened his link']);
    vi.unstubAllGlobals();
  });

  it('shows one notice at a time and gives each its whole time', () => {
    toast.success({ title: 'one' });
    toast.info({ title: 'two' });
    expect(shownTitles()).toEqual(['one']);
    vi.advanceTimersByTime(3000);
    expect(shownTitles()).toEqual(['two']);
    vi.advanceTimersByTime(3000 - tickMs);
    expect(shownTitles()).toEqual(['two']);
    vi.advanceTimersByTime(tickMs);
    expect(shownTitles()).toEqual([]);
  });

  it('shows an error at once, beside the notice', () => {
    toast.success({ title: 'saved' });
    toast.error({ title: 'not sent' });
    expect(shownTitles()).toEqual(['saved', 'not sent']);
  });

  it('keeps what has an action for a minute or until it is dismissed, and lets others pass', () => {
    const id = toast.success({ title: 'revoked', action, durationMs: 10 });
    toast.success({ title: 'copied' });
    vi.advanceTimersByTime(actionMs - tickMs);
    expect(shownTitles()).toEqual(['revoked']);
    toast.success({ title: 'revoked too', action });
    toast.dismiss(id);
    expect(shownTitles()).toEqual(['revoked too']);
    vi.advanceTimersByTime(actionMs);
    expect(shownTitles()).toEqual([]);
  });

  it('does not bring back what newer ones have covered for that long, held before or not', () => {
    toastStore.hold(toast.success({ title: '0', action }));
    for (const title of ['1', '2', '3', '4']) toast.success({ title, action });
    expect(shownTitles()).toEqual(['2', '3', '4']);
    vi.advanceTimersByTime(actionMs);
    expect(shownTitles()).toEqual([]);
  });

  it('stops the clock of a toast that is held, and goes on where it stood', () => {
    const id = toast.success({ title: 'one' });
    vi.advanceTimersByTime(2000);
    toastStore.hold(id);
    vi.advanceTimersByTime(60_000);
    expect(shownTitles()).toEqual(['one']);
    toastStore.release(id);
    vi.advanceTimersByTime(950);
    expect(shownTitles()).toEqual(['one']);
    vi.advanceTimersByTime(tickMs);
    expect(shownTitles()).toEqual([]);
  });

  it('shows a notification for 5 s in ticks of 50 ms', () => {
    toast.notify('success', { title: 'Access Granted' });
    const left: (number | undefined)[] = [];
    const stop = toastStore.subscribe(() => left.push(toastStore.read()[0]?.leftMs));
    vi.advanceTimersByTime(5000);
    stop();
    expect(left).toHaveLength(100);
    expect(left.slice(0, 2)).toEqual([4950, 4900]);
    expect(left.at(-1)).toBeUndefined();
  });

  it('calls a notification without a title "Success" or "Action Required"', () => {
    const titles = (['success', 'warning', 'error'] as const).map((type) => {
      toast.notify(type, { message: 'The viewer can now access the album' });
      return toastStore.read().at(-1)?.title;
    });
    expect(titles).toEqual(['Success', 'Action Required', 'Action Required']);
    toast.notify('success', { title: 'Access Granted' });
    expect(toastStore.read().at(-1)?.title).toBe('Access Granted');
  });

  it('tells nobody of time that nobody sees', () => {
    const listener = vi.fn();
    const stop = toastStore.subscribe(listener);
    toast.success({ title: 'revoked', action });
    vi.advanceTimersByTime(actionMs);
    stop();
    expect(listener).toHaveBeenCalledTimes(2); // it comes, it goes
  });

  it('leaves no timer running when nothing is shown', () => {
    toast.success({ title: 'one' });
    vi.advanceTimersByTime(3000);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('the queue', () => {
  const types = fc.constantFrom<ToastType>('success', 'info', 'warning', 'error');
  const toasts = fc
    .array(fc.tuple(types, fc.boolean()), { maxLength: 12 })
    .map((list) =>
      list.map(([type, acts], id) => composeToast(id, type, acts ? { title: 't', action } : { title: 't' })),
    );

  it('never shows two timed notices, two timed errors or more than three that stay', () => {
    const count = (shown: Toast[], test: (one: Toast) => boolean) => shown.filter(test).length;
    fc.assert(
      fc.property(toasts, (queue) => {
        const shown = pickShown(queue);
        const timed = shown.filter((one) => !one.action);
        return (
          count(timed, ({ type }) => type !== 'error') <= 1 &&
          count(timed, ({ type }) => type === 'error') <= 1 &&
          shown.length - timed.length <= 3
        );
      }),
    );
  });

  it('shows everything that is timed, sooner or later', () => {
    fc.assert(
      fc.property(toasts, (start) => {
        const seen = new Set<number>();
        let queue: readonly Toast[] = start;
        for (let passedMs = 0; passedMs < 12 * 8000; passedMs += 500) {
          for (const { id } of pickShown(queue)) seen.add(id);
          queue = passTime(queue, 500, new Set());
        }
        return start.every((one) => one.action || seen.has(one.id)) && queue.length === 0;
      }),
    );
  });
});
