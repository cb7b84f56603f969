import type { Engines, Log } from '#engines/engines.ts';
import { insertErrorLog } from '#features/audit/store.ts';
import { cleanErrorText } from '#features/support/rules.ts';
import { minuteMs } from '#kit/time.ts';

/** A bug that every call meets says the same each time. */
const mostPerMinute = 30;
const mostLetters = 2000;

/**
 * Keeps faults of calls in the error log too, so that the id which somebody is shown leads to what happened. One that cannot be
 * kept stands in the server's own log all the same.
 */
export function keepFaults<Given extends Pick<Engines, 'log' | 'database' | 'clock'>>(engines: Given): Given {
  const { log, database, clock } = engines;
  const minute = { number: 0, kept: 0 };
  const hasRoom = (nowMs: number): boolean => {
    const number = Math.floor(nowMs / minuteMs);
    if (number !== minute.number) Object.assign(minute, { number, kept: 0 });
    return ++minute.kept <= mostPerMinute;
  };
  const keep = ({ requestId, err }: { requestId?: unknown; err?: unknown }): void => {
    const nowMs = clock();
    if (typeof requestId !== 'string' || !(err instanceof Error) || !hasRoom(nowMs)) return;
    const { message, stack = '' } = err;
    const [said, where] = [
      cleanErrorText(message.slice(0, mostLetters)),
      cleanErrorText(stack.slice(0, 4 * mostLetters)),
    ];
    const entry = { component: 'server', message: said, stack: where, requestId };
    const kept = database.work({ kind: 'system' }, (tx) => insertErrorLog(tx, entry, new Date(nowMs)));
    void kept.catch(() => undefined); // the database is away: the log has it
  };
  const keeping: Log = {
    debug: (about, words) => log.debug?.(about, words),
    info: (about, words) => log.info(about, words),
    warn: (about, words) => log.warn(about, words),
    error: (about, words) => {
      log.error(about, words);
      keep(about);
    },
  };
  return { ...engines, log: keeping };
}
