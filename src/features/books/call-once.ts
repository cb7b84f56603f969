import type { Engines } from '#engines/engines.ts';
import { PaymentRefused } from '#engines/payments/payments.ts';
import { hourMs } from '#kit/time.ts';
import { moneyNow } from './money-clock.ts';
import { beginCall, endCall, renewCall } from './provider-calls-store.ts';

const system = { kind: 'system' } as const;
/** The provider remembers an idempotency key for a day at least; the same call within it is made once. */
const keyLivesMs = 23 * hourMs;

interface Once<Made> {
  /** By which it is the same call, whoever makes it. */
  name: string;
  /** How often it was refused before it was counted here. */
  refusals?: number;
  /** Reads the complete list of what was made. @returns undefined when it was not */
  find(since: Date): Promise<Made | undefined>;
  /** @param refusals makes its idempotency key */
  make(refusals: number): Promise<Made>;
}

/**
 * Makes a call that must not be made twice. Its key changes after a refusal alone: as long as the outcome is unknown the same one is
 * used, and once the provider may have forgotten that, its list is read before there is another.
 * @throws PaymentRefused, PaymentsAway
 */
export async function callOnce<Made>(engines: Engines, { name, find, make, ...once }: Once<Made>): Promise<Made> {
  const { database, payments } = engines;
  const { realm } = payments;
  const now = moneyNow(engines);
  const begun = { name, refusals: once.refusals ?? 0, now };
  const { refusals: before, askedAt } = await database.work(system, (tx) => beginCall(tx, realm, begun));
  const isForgotten = now.getTime() - askedAt.getTime() > keyLivesMs;
  const known = isForgotten ? await find(askedAt) : undefined;
  if (known !== undefined) return known;
  const again = { name, refusals: before, now };
  if (isForgotten && !(await database.work(system, (tx) => renewCall(tx, realm, again))))
    throw new Error('Somebody else makes this call just now.');
  const refusals = isForgotten ? before + 1 : before;
  try {
    return await make(refusals);
  } catch (error) {
    if (error instanceof PaymentRefused) await database.work(system, (tx) => endCall(tx, realm, { name, refusals }));
    throw error;
  }
}
