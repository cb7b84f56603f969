import { describe, expect, it } from 'vitest';
import { doTogether } from './together.ts';

/** Rounds as they were asked for, each of which waits until it may end. */
function openRounds(isBad: (item: number) => boolean = () => false) {
  const rounds: number[][] = [];
  const ends: (() => void)[] = [];
  const act = doTogether<number>(async (items) => {
    rounds.push([...items]);
    await new Promise<void>((end) => ends.push(end));
    if (items.some(isBad)) throw new Error('bad');
  }, 3);
  return { rounds, act, end: () => ends.shift()?.() };
}
const turn = () => new Promise((done) => setImmediate(done));

describe('what several want at once', () => {
  it('is done in one round, and what comes meanwhile in the next', async () => {
    const { rounds, act, end } = openRounds();
    const first = [act(1), act(2)];
    await turn();
    const later = [act(3), act(4), act(5), act(6)];
    await turn();
    expect(rounds).toEqual([[1, 2]]);
    end();
    await Promise.all(first);
    await turn();
    expect(rounds, 'no more than three at once').toEqual([
      [1, 2],
      [3, 4, 5],
    ]);
    end();
    await turn();
    end();
    await Promise.all(later);
    expect(rounds.at(-1)).toEqual([6]);
  });

  it('is not done before its round is over', async () => {
    const { act, end } = openRounds();
    let isDone = false;
    const doing = act(1).then(() => {
      isDone = true;
    });
    await turn();
    await turn();
    expect(isDone).toBe(false);
    end();
    await doing;
  });

  it('fails for nobody because of what somebody else wants', async () => {
    const { rounds, act, end } = openRounds((item) => item === 2);
    const all = Promise.allSettled([act(1), act(2), act(3)]);
    for (let n = 0; n < 4; n++) {
      await turn();
      end();
      await turn();
    }
    expect((await all).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(rounds).toEqual([[1, 2, 3], [1], [2], [3]]);
  });
});
