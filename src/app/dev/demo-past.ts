import type { Engines } from '#engines/engines.ts';
import { openSandbox } from '#engines/payments/sandbox/sandbox.ts';

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
  const till =
    engines.sandbox &&
    openSandbox({
      ...{ database, clock: engines.clock, sandboxClock: clock, publicUrl: installation.publicUrl },
      log,
    });
  return {
    time,
    engines: { ...engines, clock, linkClock: clock, ...till },
    async close() {
      await till?.payments.close();
    },
  };
}
