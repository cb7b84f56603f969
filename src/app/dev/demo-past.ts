import type { Engines } from '#engines/engines.ts';
import type { Payments } from '#engines/payments/payments.ts';
import { openSandbox } from '#engines/payments/sandbox/sandbox.ts';
import { untilSynced } from '#features/books/ledger-sync.ts';
import { hourMs } from '#kit/time.ts';

/** This installation at moments that have gone by. */
export interface Past {
  /** Where it stands; whoever does something sets it first. */
  time: { now: number };
  /** Its clocks and its payment provider stand there. */
  engines: Engines;
  close(): Promise<void>;
}

/** Opens the past of an installation. Where no test payments are taken its payments stay as they are. */
export function openPast(engines: Engines): Past {
  const { database, log, installation } = engines;
  const time = { now: engines.clock() };
  const clock = () => time.now;
  const until =
    engines.sandbox &&
    openSandbox({
      database,
      clock: engines.clock,
      sandboxClock: clock,
      publicUrl: installation.publicUrl,
      log,
    });
  // What happens in it is told by the installation itself, later: nobody here would be left to act upon it.
  until?.sandbox.setTelling(false);
  return {
    time,
    engines: { ...engines, clock, linkClock: clock, ...(until && { ...until, payments: openLonger(until, engines) }) },
    async close() {
      await untilSynced(engines);
      await until?.payments.close();
    },
  };
}

/** The installation goes on meanwhile and ends every checkout that is over: those of the past are open for its own next hour, too. */
const openLonger = ({ payments }: Pick<Engines, 'payments'>, { clock }: Pick<Engines, 'clock'>): Payments => ({
  ...payments,
  openCheckout: (order) =>
    payments.openCheckout({
      ...order,
      expiresAt: new Date(Math.max(order.expiresAt.getTime(), clock() + hourMs)),
    }),
});
