import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createLiveLine } from './live-line.ts';

/** The browser's own line, as far as ours knows it. */
class FakeSource {
  static readonly CLOSED = 2;
  static all: FakeSource[] = [];
  readyState = 0;
  onopen: () => void = () => undefined;
  onerror: () => void = () => undefined;
  constructor() {
    FakeSource.all.push(this);
  }
  close() {
    this.readyState = FakeSource.CLOSED;
  }
  /** The server answers. */
  stand() {
    this.readyState = 1;
    this.onopen();
  }
  /** The server answered with an error: a browser tries no more. */
  refuse() {
    this.close();
    this.onerror();
  }
}

function openLine() {
  const said: string[] = [];
  const line = createLiveLine('01900000-0000-7000-8000-000000000001', ({ kind }) => said.push(kind));
  line.open();
  return { line, said };
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('EventSource', FakeSource);
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
  FakeSource.all = [];
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test('a line that was refused is asked about, and opened again a little later', async () => {
  const { said } = openLine();
  FakeSource.all[0]?.refuse();
  expect(said).toEqual(['refetch']);
  await vi.advanceTimersByTimeAsync(5000);
  expect(FakeSource.all.map(({ readyState }) => readyState)).toEqual([2, 0]);
});

test('while it is refused it is asked for ever less often, and what was missed is asked for once it stands', async () => {
  const { said } = openLine();
  for (const [refusals, ms] of [5000, 10_000, 20_000, 40_000, 60_000, 60_000].entries()) {
    FakeSource.all[refusals]?.refuse();
    await vi.advanceTimersByTimeAsync(ms - 1);
    expect(FakeSource.all).toHaveLength(refusals + 1);
    await vi.advanceTimersByTimeAsync(1);
    expect(FakeSource.all).toHaveLength(refusals + 2);
  }
  expect(said).toEqual(['refetch']);
  FakeSource.all[6]?.stand();
  expect(said).toEqual(['refetch', 'refetch']);
  FakeSource.all[6]?.refuse();
  await vi.advanceTimersByTimeAsync(5000);
  expect([said.length, FakeSource.all.length]).toEqual([3, 8]);
});

test('a line that broke is left to the browser, which opens it again itself', async () => {
  const { said } = openLine();
  FakeSource.all[0]?.onerror();
  await vi.advanceTimersByTimeAsync(60_000);
  expect([said, FakeSource.all.length]).toEqual([[], 1]);
});

test('a line that was refused and is not wanted any more stays closed', async () => {
  const { line } = openLine();
  FakeSource.all[0]?.refuse();
  line.close();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(FakeSource.all).toHaveLength(1);
});

test('who comes back before that opens it once', async () => {
  const { line } = openLine();
  FakeSource.all[0]?.refuse();
  line.open();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(FakeSource.all).toHaveLength(2);
});
