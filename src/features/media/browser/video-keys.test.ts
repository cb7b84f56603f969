import { describe, expect, test } from 'vitest';
import type { VideoLease, VideoTrack, WantedSegments } from '../contract.ts';
import { createVideoKeys, type KeysAnswer } from './video-keys.ts';
import { canPlayVideos } from './video-support.ts';

/** A video with sound, whose server says what it is told to say. */
function start({ seconds = 25, onWait }: { seconds?: number; onWait?: () => void } = {}) {
  const asked: WantedSegments[] = [];
  const said: unknown[] = [];
  const next: KeysAnswer<string>[] = [];
  let now = 0;
  const lend = (tracks: WantedSegments): KeysAnswer<string> => ({
    expiresInMs: 30_000,
    leases: tracks.flatMap(({ track, from, count }): VideoLease[] => {
      const many = Math.min(count, (track === 'audio' ? Math.ceil(seconds / 4) : seconds) - from);
      const bytes = Array.from({ length: 16 * Math.max(0, many) }, (_, i) => (from + Math.floor(i / 16)) % 256);
      const keys = btoa(String.fromCharCode(...bytes))
        .replaceAll('+', '-')
        .replaceAll('/', '_')
        .replaceAll('=', '');
      const token = `${track}@${now}`;
      return many <= 0 ? [] : [{ leaseId: '', packId: '', track, token, from, keys }];
    }),
  });
  const keys = createVideoKeys<string>({
    ask: async (tracks) => {
      asked.push(tracks);
      return next.shift() ?? lend(tracks);
    },
    now: () => now,
    wait: async (ms) => {
      said.push(ms);
      onWait?.();
    },
    onOver: (no) => said.push(no),
  });
  const pass = (ms: number) => {
    now += ms;
  };
  const lasting = new AbortController().signal;
  const keyOf = (track: VideoTrack, n: number, signal = lasting) => keys.keyOf(track, n, signal);
  const tokenOf = (track: VideoTrack, n: number) => keys.tokenOf(track, n, lasting);
  return { keys, keyOf, tokenOf, asked, said, next, pass };
}

describe('the keys of a video', () => {
  test('come for ten seconds of picture and sound with one call', async () => {
    const { keyOf, asked } = start();
    const got = await Promise.all([keyOf('v720', 0), keyOf('v720', 9), keyOf('audio', 2)]);
    expect(got.map(([byte]) => byte)).toEqual([0, 9, 2]);
    expect(asked).toEqual([
      [
        { track: 'v720', from: 0, count: 10 },
        { track: 'audio', from: 0, count: 3 },
      ],
    ]);
    expect(await keyOf('v720', 10)).toHaveLength(16);
    expect(asked[1]).toEqual([
      { track: 'v720', from: 10, count: 10 },
      { track: 'audio', from: 3, count: 2 },
    ]);
  });

  test('after a jump come from there, and what is here is not asked for again', async () => {
    const { keyOf, asked } = start();
    await keyOf('v480', 0);
    await keyOf('v480', 20);
    await keyOf('v480', 5);
    expect(asked.map(([first]) => first?.from)).toEqual([0, 20]);
  });

  test('that are here already are not asked for again behind a gap, in another rung, or for a new token', async () => {
    const { keyOf, tokenOf, asked, pass } = start({ seconds: 60 });
    await keyOf('v480', 12);
    await keyOf('v480', 6);
    expect(asked[1]).toEqual([
      { track: 'v480', from: 6, count: 6 },
      { track: 'audio', from: 1, count: 2 },
    ]);
    await keyOf('v720', 8);
    expect(asked[2]).toEqual([{ track: 'v720', from: 8, count: 10 }]);
    pass(29_000);
    await tokenOf('v720', 8);
    expect(asked[3]).toEqual([
      { track: 'v720', from: 8, count: 1 },
      { track: 'audio', from: 2, count: 1 },
    ]);
    expect(asked).toHaveLength(4);
  });

  test('of sound come for three segments at most, wherever the picture begins', async () => {
    const { keyOf, asked } = start();
    await keyOf('v480', 3);
    expect(asked).toEqual([
      [
        { track: 'v480', from: 3, count: 10 },
        { track: 'audio', from: 0, count: 3 },
      ],
    ]);
    expect(await keyOf('audio', 3)).toHaveLength(16);
  });

  test('are not asked for where somebody only passed: sixty quick jumps are two calls', async () => {
    const { keyOf, asked } = start({ seconds: 300 });
    const wishes = Array.from({ length: 60 }, (_, n) => {
      const params = new AbortController();
      const got = keyOf('v480', 5 * n, params.signal).catch(() => undefined);
      if (n < 59) queueMicrotask(() => params.abort());
      return got;
    });
    const got = await Promise.all(wishes);
    expect(asked.map(([first]) => first?.from)).toEqual([0, 295]);
    expect(got.filter((key) => key !== undefined)).toHaveLength(1);
  });

  test('are not asked for again by one who has left while the line was broken', async () => {
    const params = new AbortController();
    const { keyOf, asked, next } = start({ onWait: () => params.abort() });
    next.push({ waitMs: 2000 });
    await expect(keyOf('v480', 0, params.signal)).rejects.toThrow('abort');
    expect(asked).toHaveLength(1);
  });

  test('bring a token with them, and a new one when it is about to end', async () => {
    const { tokenOf, asked, pass } = start();
    expect(await tokenOf('v720', 0)).toBe('v720@0');
    pass(26_000);
    expect(await tokenOf('v720', 4)).toBe('v720@0');
    pass(1000);
    expect(await tokenOf('v720', 4)).toBe('v720@27000');
    expect(asked).toHaveLength(2);
  });

  test('wait for a broken line and a busy server', async () => {
    const { keyOf, asked, said, next } = start();
    next.push({ waitMs: 2000 }, { waitMs: 7000 });
    expect(await keyOf('v720', 3)).toHaveLength(16);
    expect([asked.length, said]).toEqual([3, [2000, 7000]]);
  });

  test.each([
    ['an end of access', { no: 'REVOKED' }, 'REVOKED'],
    ['a video that is gone', { no: 'gone' }, 'gone'],
  ] as const)('end with %s: nothing more is asked for', async (_, answer, word) => {
    const { keyOf, asked, said, next } = start();
    await keyOf('v720', 0);
    next.push(answer);
    await expect(keyOf('v720', 15)).rejects.toThrow('over');
    await expect(keyOf('v720', 0)).rejects.toThrow('over');
    expect([asked.length, said]).toEqual([2, [word]]);
  });

  test('are zeros once the video is closed', async () => {
    const { keys, keyOf } = start();
    const key = await keyOf('v720', 7);
    keys.close();
    expect([...key]).toEqual(Array(16).fill(0));
  });
});

test('a video is played where one of both media sources knows its kind, and nowhere else', () => {
  const knows = { isTypeSupported: (type: string) => type.includes('avc1') };
  const knowsNot = { isTypeSupported: () => false };
  expect(canPlayVideos({ MediaSource: knows })).toBe(true);
  expect(canPlayVideos({ ManagedMediaSource: knows })).toBe(true);
  expect(canPlayVideos({ MediaSource: knowsNot, ManagedMediaSource: knowsNot })).toBe(false);
  expect(canPlayVideos({})).toBe(false);
});
