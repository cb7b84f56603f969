import { describe, expect, it } from 'vitest';
import { leftMs, withDeadline } from './deadline.ts';
import { type Asking, createSharedRun, createSharedRuns } from './shared-run.ts';

/** Work that ends when it is told to. */
function openWork() {
  const ends: ((answer: number) => void)[] = [];
  const run = () => new Promise<number>((end) => ends.push(end));
  return { run, begun: () => ends.length, end: (n: number) => ends[n]?.(n) };
}

const mostMs = 3_600_000;
const settle = () => new Promise((go) => setImmediate(go));

describe('a shared run', () => {
  it('answers everybody who came before it began, and begins once more for all who came later', async () => {
    const work = openWork();
    const shared = createSharedRun<number>({ mostMs });
    const ask = (asking?: Asking) => shared.ask(work.run, asking);
    const early = [ask(), ask()];
    await settle();
    expect(work.begun()).toBe(1);
    const late = [ask(), ask(), ask()];
    await settle();
    expect(work.begun(), 'one at a time').toBe(1);
    work.end(0);
    expect(await Promise.all(early)).toEqual([0, 0]);
    await settle();
    work.end(1);
    expect(await Promise.all(late)).toEqual([1, 1, 1]);
    expect(work.begun()).toBe(2);
  });

  it('gives an answer that is new enough to whoever says since when', async () => {
    const work = openWork();
    const shared = createSharedRun<number>({ mostMs });
    const ask = (asking?: Asking) => shared.ask(work.run, asking);
    const sinceMs = performance.now();
    const first = ask({ sinceMs });
    await settle();
    const running = ask({ sinceMs });
    work.end(0);
    expect(await Promise.all([first, running, ask({ sinceMs })])).toEqual([0, 0, 0]);
    expect(work.begun()).toBe(1);
    void ask({ sinceMs: performance.now() });
    await settle();
    expect(work.begun(), 'what was asked before is too old').toBe(2);
    work.end(1);
  });

  it('pauses between two runs, unless somebody is in a hurry', async () => {
    const work = openWork();
    const shared = createSharedRun<number>({ mostMs, gapMs: 3_600_000 });
    const first = shared.ask(work.run);
    await settle();
    work.end(0);
    await first;
    const patient = shared.ask(work.run);
    await settle();
    expect(work.begun()).toBe(1);
    expect(shared.isIdle()).toBe(false);
    const urgent = shared.ask(work.run, { isUrgent: true });
    await settle();
    work.end(1);
    expect(await Promise.all([patient, urgent])).toEqual([1, 1]);
  });

  it('tells those who asked what went wrong, and is begun again by the next', async () => {
    let runs = 0;
    const run = async () => {
      runs++;
      if (runs === 1) throw new Error('away');
      return runs;
    };
    const { ask } = createSharedRun<number>({ mostMs });
    const sinceMs = performance.now();
    await expect(ask(run, { sinceMs })).rejects.toThrow('away');
    expect(await ask(run, { sinceMs })).toBe(2);
  });

  it('goes on for the others when the time of whoever asked first is over', async () => {
    const work = openWork();
    const shared = createSharedRun<number>({ mostMs });
    let left = 0;
    const run = () => {
      left = leftMs();
      return work.run();
    };
    const hurried = expect(withDeadline(-1, () => shared.ask(run))).rejects.toMatchObject({ name: 'DeadlinePassed' });
    const other = shared.ask(run);
    await hurried;
    expect([work.begun(), left > 0, left <= mostMs]).toEqual([1, true, true]);
    work.end(0);
    expect(await other).toBe(0);
  });
});

it('shared runs are kept apart by what they are about', async () => {
  const work = openWork();
  const runs = createSharedRuns<number>({ mostMs });
  const asked = [runs.ask('a', work.run), runs.ask('b', work.run), runs.ask('a', work.run)];
  await settle();
  expect(work.begun()).toBe(2);
  work.end(0);
  work.end(1);
  expect(await Promise.all(asked)).toEqual([0, 1, 0]);
});
