import type { LiveEvent } from '#engines/database/work.ts';
import type { LogLevel } from '#wire/own-process.ts';
import type { LeveledLog } from './log.ts';

/** The level of a log of this process, which is raised for a while and goes back by itself. */
export function openLogLevel(log: Pick<LeveledLog, 'level'>, clock: () => number): LogLevel {
  const usual = log.level;
  let untilMs: number | undefined;
  let timer: NodeJS.Timeout | undefined;
  const goBack = () => {
    clearTimeout(timer);
    untilMs = undefined;
    log.level = usual;
  };
  return {
    state() {
      if (untilMs !== undefined && untilMs <= clock()) goBack();
      return { level: log.level, usual, until: untilMs === undefined ? null : new Date(untilMs) };
    },
    raise(wantedMs) {
      goBack();
      const forMs = wantedMs - clock();
      if (forMs <= 0) return;
      untilMs = wantedMs;
      log.level = 'debug';
      timer = setTimeout(goBack, forMs).unref();
    },
  };
}

/** Does in this process what an owner has asked of another one. */
export const followLogLevel =
  ({ raise }: LogLevel) =>
  ({ kind, logsDebugUntilMs }: LiveEvent): void => {
    if (kind === 'log.level' && logsDebugUntilMs !== undefined) raise(logsDebugUntilMs);
  };
