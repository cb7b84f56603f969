import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { estimateStrength, findPasswordFault, judgeTry, waitAfterMany, waitAfterWrong } from './rules.ts';

const now = new Date('2026-11-21T12:00:00Z');
const later = (ms: number) => new Date(now.getTime() + ms);
const minute = 60_000;

describe('passwords', () => {
  it.each([
    ['ninechars', 'Use at least 10 characters'],
    ['x'.repeat(129), 'Use at most 128 characters'],
    ['x'.repeat(128), undefined],
    ['Mara@Example.com', "Your email address can't be your password"],
    ['three calm rivers', undefined],
  ])('%s', (password, fault) => {
    expect(findPasswordFault(password, 'mara@example.com')).toBe(fault);
  });
  it('cannot be the local part of the address', () => {
    expect(findPasswordFault('marasolmarasol', 'marasolmarasol@example.com')).toContain('email');
  });
  it('that only repeat or count up are easy to guess', () => {
    expect(estimateStrength('aaaaaaaaaaaaaaaa', 'a@b.co')).toBe(1);
    expect(estimateStrength('1234567890', 'a@b.co')).toBe(1);
    expect(estimateStrength('three calm rivers', 'a@b.co')).toBeGreaterThan(2);
  });
  it('are worth more the longer they are and the more kinds of characters they have; one that is refused is worth nothing', () => {
    const worth = (password: string) => estimateStrength(password, 'a@b.co');
    expect(worth('short')).toBe(0);
    expect(worth('aeimquyaei')).toBeLessThan(worth('aeimquyaeiaeimquy'));
    expect(worth('aeimquyaei')).toBeLessThan(worth('aEimQuyaei4'));
    expect(worth('aEim-Quy4aei7')).toBe(4);
  });
});

describe('wrong passwords', () => {
  it('five are free, then each wait is twice the one before, up to 15 minutes', () => {
    expect([4, 5, 6, 7, 50].map((wrong) => waitAfterWrong(wrong, 5))).toEqual([0, 15_000, 30_000, 60_000, 15 * minute]);
  });

  it('let nobody try more often than the waits allow, whatever the pace', () => {
    const paces = fc.array(fc.integer({ min: 0, max: 20 * minute }), { minLength: 1, maxLength: 200 });
    fc.assert(
      fc.property(paces, (pauses) => {
        let known: { wrong: number; lastAt: Date } | undefined;
        let at = now.getTime();
        const made: number[] = [];
        for (const pauseMs of pauses) {
          at += pauseMs;
          const verdict = judgeTry(known, new Date(at), 5);
          if (!('wrong' in verdict)) continue;
          known = { wrong: verdict.wrong, lastAt: new Date(at) };
          made.push(at);
        }
        // Six tries in a row always take more than the first wait, unless a quarter of an hour passed between two of them.
        return made.every((time, index) => {
          const sixth = made[index + 5];
          if (sixth === undefined || sixth - time >= 15_000) return true;
          return false;
        });
      }),
    );
  });

  it('are counted, and whoever is too early is told how long to wait', () => {
    const judge = (wrong: number, sinceMs: number) => judgeTry({ wrong, lastAt: now }, later(sinceMs), 5);
    expect(judgeTry(undefined, now, 5)).toEqual({ wrong: 1 });
    expect(judge(1, 0)).toEqual({ wrong: 2 });
    expect(judge(5, 0)).toEqual({ waitMs: 15_000 });
    expect(judge(5, 14_999)).toEqual({ waitMs: 1 });
    expect(judge(5, 15_000)).toEqual({ wrong: 6 });
    expect(judge(9, 15 * minute - 1)).toEqual({ wrong: 10 });
  });

  it('are forgotten after 15 minutes', () => {
    expect(judgeTry({ wrong: 9, lastAt: now }, later(15 * minute), 5)).toEqual({ wrong: 1 });
  });

  it('from one network only delay, at most 5 s', () => {
    expect([0, 20, 21, 40, 10_000].map((tries) => waitAfterMany(tries, 20))).toEqual([0, 0, 250, 5000, 5000]);
  });
});
