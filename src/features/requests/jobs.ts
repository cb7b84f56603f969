import type { Engines } from '#engines/engines.ts';
import { moneyNow } from '#features/books/money-clock.ts';
import { findOwedTimes } from '#features/returns/held-payments.ts';
import { dayMs } from '#kit/time.ts';
import { requestCodes } from './asking-store.ts';
import { listDue } from './due-store.ts';
import { moveHeld, settleMoved } from './moves/moving.ts';
import { notifyOperator } from './moves/notifying.ts';
import { takeUndecided } from './reminding-store.ts';
import { findRequest, holdRequest } from './store.ts';

const system = { kind: 'system' } as const;

/**
 * What time does by itself: what nobody answers or pays expires, what was not delivered is paid back, what nobody looks at is
 * released. What we closed meanwhile is paid back as well. Each is decided again under its lock, so it may run beside people and itself.
 */
export async function tendRequests(engines: Engines): Promise<void> {
  const { database, payments, log } = engines;
  const { undoMs } = await findOwedTimes(engines);
  const due = await database.work(system, (tx) => listDue(tx, payments.realm, moneyNow(engines), undoMs));
  for (const { id, step } of due)
    try {
      const moved = await database.work(system, async (tx) => {
        const row = await holdRequest(tx, id);
        return row && moveHeld(engines, tx, row, { by: 'system', do: step });
      });
      if (moved !== undefined && !('ok' in moved)) await settleMoved(engines, moved);
    } catch (error) {
      log.warn({ area: 'requests', requestId: id, err: error }, 'a request could not be moved on');
    }
  await remindOperator(engines);
}

/** The operator is told a second time, a day before the time in which both sides were promised a decision. */
async function remindOperator(engines: Engines): Promise<void> {
  const { database, payments } = engines;
  await database.work(system, async (tx) => {
    for (const id of await takeUndecided(tx, payments.realm, moneyNow(engines), dayMs)) {
      const row = await findRequest(tx, id);
      if (row !== undefined) await notifyOperator(engines, tx, row);
    }
  });
}

/** What the room does by itself. */
export function declareRequestJobs(engines: Engines): void {
  engines.jobs.every('* * * * *', 'requests.tend', () => tendRequests(engines));
  engines.jobs.every('17 * * * *', 'requests.sweep', () =>
    requestCodes.sweep(engines.database, new Date(engines.clock())),
  );
}
