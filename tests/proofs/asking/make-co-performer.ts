import { randomBytes } from 'node:crypto';
import { hashToken } from '#features/consents/requesting.ts';
import { hashEmail, insertPerson } from '#features/consents/store.ts';
import { newId } from '#kit/ids.ts';
import type { TestApp } from '#tests/support/test-app.ts';
import { canaries, type Owner } from './owners.ts';

/** Somebody who is shown in an album that no link shows, and has not answered. */
export async function makeCoPerformer(
  { engines }: TestApp,
  { person, whose }: Owner,
  albumId: string,
): Promise<string> {
  const now = new Date(engines.clock());
  const id = newId<'coPerformer'>(now.getTime());
  const email = `shown-${id}@example.com`;
  await engines.database.work({ kind: 'system' }, async (tx) => {
    // Twenty are named at most, and the proof makes as many things as it likes.
    await tx.client.query('update co_performers set ended_at = $2 where album_id = $1 and ended_at is null', [
      albumId,
      now,
    ]);
    const [emailHash] = await hashEmail(tx, engines.keys, email);
    const name = `Person ${canaries[whose]}`;
    const tokenHash = hashToken(randomBytes(16).toString('hex'));
    await insertPerson(tx, { id, albumId, userId: person.userId, name, email, emailHash, tokenHash, now });
  });
  return id;
}
