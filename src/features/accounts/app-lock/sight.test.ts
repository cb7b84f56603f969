import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openSight } from './sight.ts';

let said: string[] = [];
const calm = { isBusy: false, isChoosing: false, isLocked: false, isOffline: false };
let state = calm;
let kept: number | undefined;
const open = () => {
  const say = async (what: string) => {
    if (!state.isOffline) said.push(what);
    return !state.isOffline;
  };
  return openSight({
    isBusy: () => state.isBusy,
    isChoosing: () => state.isChoosing,
    leave: (goneMs) => say(goneMs === 0 ? 'leave' : `leave ${goneMs / 1000} s ago`),
    stay: (isAtWork) => say(isAtWork ? 'work' : 'stay'),
    isLocked: async () => {
      if (state.isOffline) throw new Error('no connection');
      said.push('ask');
      return state.isLocked;
    },
    cover: (isCovered) => said.push(isCovered ? 'cover' : 'show'),
    reload: () => said.push('reload'),
    owed: {
      read: () => kept,
      write: (since) => {
        kept = since;
      },
    },
  });
};
const received = () => said.splice(0);
/** A phone stops the timers of a page that nobody sees. */
const sleep = (ms: number) => void vi.setSystemTime(Date.now() + ms);

beforeEach(() => {
  vi.useFakeTimers();
  said = [];
  state = { ...calm };
  kept = undefined;
});
afterEach(() => void vi.useRealTimers());

it('is covered as soon as it is out of sight, and gone a minute later', async () => {
  const sight = open();
  sight.hide();
  expect(received()).toEqual(['cover', 'leave']);
  state.isLocked = true;
  await vi.advanceTimersByTimeAsync(59_999);
  expect(received()).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(received()).toEqual(['cover', 'ask', 'reload']);
});

it('comes back as it was within that minute', async () => {
  const sight = open();
  sight.hide();
  await vi.advanceTimersByTimeAsync(30_000);
  received();
  await sight.show();
  expect(received()).toEqual(['show', 'stay']);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(received(), 'says that it is there').toEqual(['stay', 'stay']);
});

it('whose clock stood still is not shown before the server has said that it may be', async () => {
  const sight = open();
  sight.hide();
  await vi.advanceTimersByTimeAsync(0);
  received();
  state.isLocked = true;
  sleep(3_600_000);
  await sight.show();
  expect(received()).toEqual(['cover', 'ask', 'reload']);
});

it('stays where another page of the browser is in sight', async () => {
  const sight = open();
  sight.hide();
  await vi.advanceTimersByTimeAsync(300_000);
  expect(received()).not.toContain('reload');
  await sight.show();
  expect(received()).toEqual(['cover', 'ask', 'show', 'stay']);
});

describe('a page that was left without a connection', () => {
  it('says so before it asks whether it is locked', async () => {
    const sight = open();
    state.isOffline = true;
    sight.hide();
    await vi.advanceTimersByTimeAsync(0);
    sleep(3_600_000);
    Object.assign(state, { isOffline: false, isLocked: true });
    await sight.show();
    expect(received()).toEqual(['cover', 'cover', 'leave 3600 s ago', 'ask', 'reload']);
    expect(kept, 'the server has taken it').toBeUndefined();
  });

  it('says so when the phone has ended it, and another one is opened', async () => {
    state.isOffline = true;
    open().hide();
    await vi.advanceTimersByTimeAsync(0);
    received();
    vi.clearAllTimers();
    sleep(7_200_000);
    Object.assign(state, { isOffline: false, isLocked: true });
    await open().show();
    expect(received()).toEqual(['cover', 'leave 7200 s ago', 'ask', 'reload']);
  });

  it('is not shown as long as the server does not take it, though it calls the session open', async () => {
    const sight = open();
    state.isOffline = true;
    sight.hide();
    await vi.advanceTimersByTimeAsync(0);
    sleep(3_600_000);
    const asked = sight.show();
    // The word gets lost, the question does not.
    await Promise.resolve();
    state.isOffline = false;
    await asked;
    expect(received()).toEqual(['cover', 'cover', 'ask']);
    state.isLocked = true;
    await vi.advanceTimersByTimeAsync(5000);
    expect(received()).toEqual(['cover', 'leave 3605 s ago', 'ask', 'reload']);
  });

  it('owes nothing when it is back within the minute', async () => {
    const sight = open();
    state.isOffline = true;
    sight.hide();
    await vi.advanceTimersByTimeAsync(59_000);
    state.isOffline = false;
    await sight.show();
    expect(received()).toEqual(['cover', 'show', 'stay']);
    expect(kept).toBeUndefined();
  });
});

describe('a page that is left while a file is chosen', () => {
  it('has ten minutes, of which the server knows', async () => {
    const sight = open();
    state.isChoosing = true;
    sight.hide();
    await vi.advanceTimersByTimeAsync(599_000);
    await sight.show();
    expect(received()).toEqual(['work', 'show', 'stay']);
  });

  it('is locked after them', async () => {
    const sight = open();
    Object.assign(state, { isChoosing: true, isLocked: true });
    sight.hide();
    await vi.advanceTimersByTimeAsync(600_000);
    expect(received()).toEqual(['work', 'cover', 'ask', 'reload']);
  });

  it('says so itself where the server could not be told', async () => {
    const sight = open();
    Object.assign(state, { isChoosing: true, isOffline: true });
    sight.hide();
    await vi.advanceTimersByTimeAsync(0);
    sleep(600_000);
    Object.assign(state, { isOffline: false, isLocked: true });
    await sight.show();
    expect(received()).toEqual(['cover', 'leave 60 s ago', 'ask', 'reload']);
  });
});

describe('a page that is left while it sends files', () => {
  it('goes on until they are sent, and has its minute from then on', async () => {
    const sight = open();
    state.isBusy = true;
    sight.hide();
    expect(received()).toEqual(['cover', 'work']);
    await vi.advanceTimersByTimeAsync(1_200_000);
    expect(new Set(received())).toEqual(new Set(['work']));
    state.isBusy = false;
    await vi.advanceTimersByTimeAsync(30_000);
    expect(received()).toEqual(['cover', 'leave']);
    state.isLocked = true;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(received()).toEqual(['cover', 'ask', 'reload']);
  });

  it('is locked ten minutes after the server last heard of it', async () => {
    const sight = open();
    state.isBusy = true;
    sight.hide();
    await vi.advanceTimersByTimeAsync(60_000);
    state.isOffline = true;
    received();
    await vi.advanceTimersByTimeAsync(599_999);
    expect(received()).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(received()).toEqual(['cover', 'reload']);
  });
});
