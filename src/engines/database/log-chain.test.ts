import { describe, expect, it } from 'vitest';
import { findReach, nameSegment, newestTimeline, numberAt, readHistory, readSegment } from './log-chain.ts';

const named = (timeline: number, ...numbers: number[]) => numbers.map((number) => nameSegment({ timeline, number }));

describe('the chain of the log', () => {
  it('reads and writes the names of segments', () => {
    expect(readSegment('0000000200000001000000FF')).toEqual({ timeline: 2, number: 511 });
    expect(nameSegment({ timeline: 2, number: 511 })).toBe('0000000200000001000000FF');
    for (const name of [
      '00000002.history',
      '0000000200000001000000FF.partial',
      '000000020000000100000028.00000028.backup',
    ])
      expect(readSegment(name)).toBeUndefined();
    expect(numberAt('1/FF000028')).toBe(511);
  });

  it('ends at its newest segment when none is missing, and names the first that is', () => {
    const way = readHistory(1, '');
    expect(findReach(named(1, 4, 5, 6), way, 5)).toEqual({ newest: 6, gap: undefined });
    expect(findReach(named(1, 4, 5, 7, 9), way, 5)).toEqual({ newest: 9, gap: '000000010000000000000006' });
    expect(findReach([], way, 5)).toEqual({ newest: 5, gap: '000000010000000000000005' });
  });

  it('goes over to the timeline of an installation that was brought back, and forgets what the one before wrote after that', () => {
    const history = '1\t0/5000110\tno recovery target specified\n';
    const way = readHistory(2, history);
    expect(newestTimeline(['00000002.history', ...named(1, 5)], 1)).toBe(2);
    expect(findReach([...named(1, 3, 4, 5, 6, 9), ...named(2, 5, 6)], way, 3)).toEqual({ newest: 6, gap: undefined });
    expect(findReach([...named(1, 3, 4, 5, 6, 9), ...named(2, 5, 7)], way, 3).gap).toBe('000000020000000000000006');
  });
});
