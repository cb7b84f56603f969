import { keepBuyer } from '#features/money/orders-store.ts';
import { keepSettings } from '#features/requests/asking-store.ts';
import { insertRequest, noteEvent } from '#features/requests/store.ts';
import { newId } from '#kit/ids.ts';
import type { TestApp } from '#tests/support/test-app.ts';

/** Something that her viewer asked her for, and that waits for her answer. */
export async function makeRequest(
  { engines }: TestApp,
  { userId, word }: { userId: string; word: string },
  { viewer, link }: { viewer: string; link: string },
): Promise<string> {
  const now = new Date(engines.clock());
  const id = newId<'request'>(now.getTime());
  const asked = { title: `Title ${word}`, brief: `Brief ${word}`, kind: 'photo', quantity: 1 };
  await engines.database.work({ kind: 'system' }, async (tx) => {
    const settings = { leastCents: 1000, priceList: [], days: 14, wontDo: '', mostOpen: 10, isOn: true };
    await keepSettings(tx, userId, settings);
    // Ten are open at most, and the proof makes as many things as it likes.
    await tx.client.query('update custom_requests set closed_at = $2 where creator_id = $1', [userId, now]);
    const buyerId = await keepBuyer(tx, newId(now.getTime()), `asker-${id}@example.com`, now);
    await insertRequest(tx, {
      ...{ ...asked, ...engines.payments.realm, id, creatorId: userId, creatorName: 'Mia', viewerId: viewer },
      ...{ buyerId, linkId: link, lengthMinutes: null, wantedBy: null, timeZone: 'UTC', currency: 'usd' },
      ...{ kind: 'photo', offeredCents: 4000, actUntil: new Date(now.getTime() + 72 * 3_600_000), now },
    });
    await noteEvent(tx, id, { who: 'buyer', what: 'asked', text: '', amountCents: 4000, at: now });
  });
  return id;
}
