import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { openSight } from './sight.ts';

let said: string[] = [];
let state = { isBusy: false, isChoosing: false, isLocked: false };
const open = () =>
  openSight({
    isBusy: () => state.isBusy,
    isChoosing: () => state.isChoosing,
    leave: () => said.push('leave'),
    stay: () => said.push('stay'),
    isLocked: async () => state.isLocked,
    cover: (isCovered) => said.push(isCovered ? 'cover' : 'show'),
    reload: () => said.push('reload'),
  });
const heard = () => said.splice(0);

beforeEach(() => {
  vi.useFakeTimers();
  said = [];
  state = { isBusy: false, isChoosing: false, isLocked: false };
});
afterEach(() => void vi.useRealTimers());

it('is covered as soon as it is out of sight, and gone a minute later', async () => {
  const sight = open();
  sight.hide();
  expect(heard()).toEqual(['cover', 'leave']);
  state.isLocked = true;
  await vi.advanceTimersByTimeAsync(59_999);
  expect(heard()).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(heard()).toEqual(['reload']);
});

it('comes back as it was within that minute', async () => {
  const sight = open();
  sight.hide();
  await vi.advanceTimersByTimeAsync(30_000);
  heard();
  await sight.show();
  expect(heard()).toEqual(['show', 'stay']);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(heard(), 'says that it is there').toEqual(['stay', 'stay']);
});

it('whose clock stood still is not shown before the server has said that it may be', async () => {
  const sight = open();
  sight.hide();
  heard();
  state.isLocked = true;
  vi.setSystemTime(Date.now() + 3_600_000); // a phone stops the timers of a page that nobody sees
  await sight.show();
  expect(heard()).toEqual(['reload']);
});

it('stays where another page of the browser is in sight', async () => {
  const sight = open();
  sight.hide();
  heard();
  await vi.advanceTimersByTimeAsync(300_000);
  expect(heard()).toEqual([]);
  await sight.show();
  expect(heard()).toEqual(['show', 'stay']);
});

it('is not left while a file is chosen, nor locked while files are sent', async () => {
  const sight = open();
  state.isChoosing = true;
  sight.hide();
  await vi.advanceTimersByTimeAsync(600_000);
  await sight.show();
  expect(heard()).toEqual(['show', 'stay']);
  state = { isBusy: true, isChoosing: false, isLocked: false };
  sight.hide();
  expect(heard()).toEqual(['cover']);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(heard()).toEqual(['stay', 'stay']);
  state.isBusy = false;
  await vi.advanceTimersByTimeAsync(30_000);
  expect(heard(), 'the minute begins with the end').toEqual(['cover', 'leave']);
});
