import { statement, type Tx } from '#engines/database/work.ts';
import type { Realm } from '#engines/payments/payments.ts';

/** A call that must not be made twice. */
export interface ProviderCall {
  /** How often it was refused, for certain. */
  refusals: number;
  /** Since when nobody knows whether it was made. */
  askedAt: Date;
}

interface Named {
  name: string;
  refusals: number;
  now: Date;
}

const begun = statement<ProviderCall>(
  'provider_call_begun',
  `insert into provider_calls as c (provider, livemode, name, refusals, asked_at) values ($1, $2, $3, $4, $5)
on conflict (provider, livemode, name) do update set asked_at = coalesce(c.asked_at, excluded.asked_at)
returning refusals, asked_at as "askedAt"`,
);

/** Notes that it is about to be made, before it is. @param named.refusals of one that is not known yet */
export async function beginCall(
  tx: Tx,
  { provider, livemode }: Realm,
  { name, refusals, now }: Named,
): Promise<ProviderCall> {
  const [call] = await tx.query(begun, [provider, livemode, name, refusals, now]);
  if (call === undefined) throw new Error('A call to the provider was not noted.');
  return call;
}

const counted = statement<{ refusals: number }>(
  'provider_call_counted',
  `update provider_calls set refusals = refusals + 1, asked_at = $5 where provider = $1 and livemode = $2 and name = $3 and refusals = $4
returning refusals`,
);

/** Notes that it was not made, for certain: the next try is another one. @returns false when somebody has noted it already */
export const endCall = async (tx: Tx, { provider, livemode }: Realm, { name, refusals }: Omit<Named, 'now'>) =>
  (await tx.query(counted, [provider, livemode, name, refusals, null])).length === 1;

/** The same, and that it is about to be made again. @returns false when somebody else makes it */
export const renewCall = async (tx: Tx, { provider, livemode }: Realm, { name, refusals, now }: Named) =>
  (await tx.query(counted, [provider, livemode, name, refusals, now])).length === 1;
