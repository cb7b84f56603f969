import pino from 'pino';
import { DatabaseAway, isAway } from '#engines/database/away.ts';
import type { Log } from '#engines/engines.ts';

/** An error for the log, without the values of rows that a database adds to its own. */
export const describeError = (error: unknown) =>
  error instanceof Error ? { ...pino.stdSerializers.err(error), detail: undefined, where: undefined } : error;

/** Failures that are not further apart are one outage. */
const outageMs = 60_000;

/** Returns whether something failed only because the database is away, whoever it was that asked. */
const isOutage = (error: unknown): boolean =>
  error instanceof DatabaseAway ||
  isAway(error) ||
  (error instanceof Error && error.cause !== undefined && isOutage(error.cause));

/**
 * Says of an outage of the database one line, and not what every call, job and connection says of it that fails meanwhile.
 * @param nowMs a clock that is never set back
 */
export function onePerOutage(log: Log, nowMs: () => number = () => performance.now()): Log {
  let missedMs = Number.NEGATIVE_INFINITY;
  const isLogged = (about: { err?: unknown }): boolean => {
    if (!isOutage(about.err)) return false;
    const before = missedMs;
    missedMs = nowMs();
    return missedMs - before <= outageMs;
  };
  return {
    debug: (about, words) => log.debug?.(about, words),
    info: log.info,
    warn: (about, words) => void (isLogged(about) || log.warn(about, words)),
    error: (about, words) => void (isLogged(about) || log.error(about, words)),
  };
}

/** A log whose level can be changed while it is written. */
export interface LeveledLog extends Log {
  level: string;
}

/**
 * One JSON line per event; errors with their stack, nothing of a person.
 * @param to where the lines go, the standard output unless told
 */
export function openLog(level: string, to: pino.DestinationStream = pino.destination(1)): LeveledLog {
  const serializers = { err: describeError };
  const logger = pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime, serializers }, to);
  const log = onePerOutage({
    debug: (about, words) => logger.debug(about, words),
    info: (about, words) => logger.info(about, words),
    warn: (about, words) => logger.warn(about, words),
    error: (about, words) => logger.error(about, words),
  });
  return {
    ...log,
    get level() {
      return logger.level;
    },
    set level(wanted) {
      logger.level = wanted;
    },
  };
}
