import { settlePack } from '#features/credits/lots/accounting.ts';
import { insertPack, keepPackSession, writePack } from '#features/orders/packs-store.ts';
import { newId } from '#kit/ids.ts';
import type { Person } from '#tests/support/people.ts';
import type { TestApp } from '#tests/support/test-app.ts';

/** Credits that she bought. */
export async function makePack({ engines }: TestApp, { userId }: Pick<Person, 'userId'>): Promise<string> {
  const now = new Date(engines.clock());
  const [id, { realm }] = [newId<'pack'>(now.getTime()), engines.payments];
  const pack = { id, realm, userId, credits: 50, amountCents: 500, currency: 'usd', expiresAt: now, now };
  const paid = { id, version: 0, state: 'paid', refundedCents: 0, paidAt: now } as const;
  await engines.database.work({ kind: 'system' }, async (tx) => {
    await insertPack(tx, pack);
    await keepPackSession(tx, id, `cs_${id}`);
    await writePack(tx, { ...paid, paymentId: `pi_${id}`, chargeId: `ch_${id}` });
    await settlePack(tx, realm, id, now);
  });
  return id;
}
