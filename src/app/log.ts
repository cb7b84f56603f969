import pino from 'pino';
import type { Log } from '#engines/engines.ts';

/** An error for the log, without the values of rows that a database adds to its own. */
export const tellError = (error: unknown) =>
  error instanceof Error ? { ...pino.stdSerializers.err(error), detail: undefined, where: undefined } : error;

/**
 * One JSON line per event; errors with their stack, nothing of a person.
 * @param to where the lines go, the standard output unless told
 */
export function openLog(level: string, to: pino.DestinationStream = pino.destination(1)): Log {
  const serializers = { err: tellError };
  const logger = pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime, serializers }, to);
  return {
    info: (about, words) => logger.info(about, words),
    warn: (about, words) => logger.warn(about, words),
    error: (about, words) => logger.error(about, words),
  };
}
