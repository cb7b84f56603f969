import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { minuteMs } from '#kit/time.ts';
import { openLog } from './log.ts';
import { followLogLevel, openLogLevel } from './log-level.ts';

beforeEach(() => void vi.useFakeTimers({ now: new Date('2026-11-21T12:00:00Z') }));
afterEach(() => void vi.useRealTimers());

function open() {
  const lines: string[] = [];
  const log = openLog('warn', { write: (line) => void lines.push(line) });
  return { lines, log, level: openLogLevel(log, () => Date.now()) };
}

it('details are written while the level is raised, and no longer', () => {
  const { lines, log, level } = open();
  log.debug?.({ n: 1 }, 'a detail');
  expect(level.state()).toEqual({ level: 'warn', usual: 'warn', until: null });
  const until = Date.now() + 15 * minuteMs;
  level.raise(until);
  expect(level.state()).toEqual({ level: 'debug', usual: 'warn', until: new Date(until) });
  log.debug?.({ n: 2 }, 'a detail');
  vi.advanceTimersByTime(15 * minuteMs - 1);
  log.debug?.({ n: 3 }, 'a detail');
  vi.advanceTimersByTime(1);
  log.debug?.({ n: 4 }, 'a detail');
  expect(lines.map((line) => JSON.parse(line).n)).toEqual([2, 3]);
  expect(level.state()).toEqual({ level: 'warn', usual: 'warn', until: null });
});

it('whoever raises it once more has all of the time again, and it can be ended at once', () => {
  const { level } = open();
  level.raise(Date.now() + 15 * minuteMs);
  vi.advanceTimersByTime(10 * minuteMs);
  level.raise(Date.now() + 15 * minuteMs);
  vi.advanceTimersByTime(10 * minuteMs);
  expect(level.state().level).toBe('debug');
  level.raise(Date.now());
  expect(level.state()).toMatchObject({ level: 'warn', until: null });
});

it('what another process was asked is followed, and nothing else that is told', () => {
  const { level } = open();
  const follow = followLogLevel(level);
  follow({ kind: 'settings' });
  follow({ kind: 'log.level' });
  expect(level.state().level).toBe('warn');
  follow({ kind: 'log.level', logsDebugUntilMs: Date.now() + minuteMs });
  expect(level.state().level).toBe('debug');
});
