import { describe, expect, it } from 'vitest';
import { openFairLane, type Queuer } from './fair-lane.ts';

const stranger = (key: string): Queuer => ({ key, isKnown: false });
const known = (key: string): Queuer => ({ key, isKnown: true });

/** A lane whose turns end when they are told to, and the order in which they were had. */
function openSlowLane(limits: Partial<Parameters<typeof openFairLane>[0]> = {}) {
  const lane = openFairLane({ atOnce: 1, mostWaitingOfOne: 3, mostWaiting: 100, ...limits });
  const order: string[] = [];
  const ends: (() => void)[] = [];
  const run = (who: Queuer, name = who.key) =>
    lane.run(who, async () => {
      order.push(name);
      await new Promise<void>((end) => ends.push(end));
      return name;
    });
  const endAll = async (turns: Promise<unknown>[]) => {
    let isOver = false;
    const all = Promise.all(turns).then((answers) => {
      isOver = true;
      return answers;
    });
    while (!isOver) {
      ends.shift()?.();
      await new Promise((next) => setImmediate(next));
    }
    return all;
  };
  return { lane, order, run, endAll };
}

describe('a fair lane', () => {
  it('lets keys take turns, however many one of them has sent before', async () => {
    const { order, run, endAll } = openSlowLane();
    const turns = ['a1', 'a2', 'a3', 'a4'].map((name) => run(stranger('a'), name));
    turns.push(run(stranger('b'), 'b1'), run(stranger('b'), 'b2'), run(stranger('c'), 'c1'));
    await endAll(turns);
    expect(order).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
  });

  it('refuses the fourth that waits of one key at once, and nobody else', async () => {
    const { run, endAll } = openSlowLane();
    const turns = Array.from({ length: 5 }, () => run(stranger('a')));
    turns.push(run(stranger('b')));
    expect(await endAll(turns)).toEqual(['a', 'a', 'a', 'a', undefined, 'b']);
  });

  it('lets somebody who is known go before all strangers, also when no more of them may wait', async () => {
    const { order, run, endAll } = openSlowLane({ mostWaiting: 2 });
    const turns = ['a', 'b', 'c', 'd'].map((key) => run(stranger(key)));
    turns.push(run(known('ana')));
    expect(await endAll(turns)).toEqual(['a', 'b', 'c', undefined, 'ana']);
    expect(order).toEqual(['a', 'ana', 'b', 'c']);
  });

  it('is free again when all turns are over, also those that failed', async () => {
    const { lane } = openSlowLane();
    await expect(lane.run(stranger('a'), () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(lane.isFree()).toBe(true);
    expect(await lane.run(stranger('a'), async () => 'yes')).toBe('yes');
    expect(lane.isFree()).toBe(true);
  });
});
