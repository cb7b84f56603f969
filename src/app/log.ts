import pino from 'pino';
import type { Log } from '#engines/engines.ts';

/** One JSON line per event on the standard output; errors with their stack, nothing of a person. */
export function openLog(level: string): Log {
  const logger = pino({
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: pino.stdSerializers.err },
  });
  return {
    info: (about, words) => logger.info(about, words),
    warn: (about, words) => logger.warn(about, words),
    error: (about, words) => logger.error(about, words),
  };
}
