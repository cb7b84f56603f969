import type { Engines } from '#engines/engines.ts';
import { findAccountByEmail } from '#features/accounts/store.ts';
import { keepAccount } from '#features/accounts/suspending.ts';
import { isUuid } from '#kit/ids.ts';
import { eraseAgain } from './again/erased-list.ts';
import { beginDeletion } from './deletion/beginning.ts';
import { effectsOf } from './deletion/deleting.ts';
import { type Deletion, findDeletion, findDeletionOf } from './deletion/deletions-store.ts';
import { describeEffects } from './deletion-words.ts';
import { runPersonData } from './people/by-letter.ts';
import { findErasure } from './people/erasures-store.ts';

const system = { kind: 'system' } as const;
const usage =
  'Use `data show EMAIL`, `data delete EMAIL`, `data keep EMAIL` or `data certificate ID` of an account, and `data export --address A`, `data erase --address A` or `data keep --address A` of somebody without one.';

/**
 * `pf data`: what people may ask for by letter – what deleting their account does, that it is deleted or kept, and its certificate.
 * @returns what to print @throws a sentence that says what is wrong
 */
export async function runData(engines: Engines, args: readonly string[]): Promise<string> {
  const [verb, about = '', address = ''] = args;
  if (about === '--address') return runPersonData(engines, verb, address);
  if (verb === 'erase-again') return describeAgain(await eraseAgain(engines, about === '' ? undefined : about));
  if (verb === 'certificate') return describeCertificate(engines, about);
  if (verb !== 'show' && verb !== 'delete' && verb !== 'keep') throw new Error(usage);
  const email = about.trim().toLowerCase();
  const account = await engines.database.work(system, (tx) => findAccountByEmail(tx, email));
  if (account === undefined) throw new Error(`No account has the address "${about}".`);
  if (verb === 'show') return describeAccount(engines, account.id);
  const now = new Date(engines.clock());
  if (verb === 'keep') {
    const keeping = { userId: account.id, by: 'system', now } as const;
    const kept = await engines.database.work(system, (tx) => keepAccount(engines, tx, keeping));
    if (kept === undefined) throw new Error(`${email} is not about to be deleted, or its time is over.`);
    return `${email} stays, its links work again, and an email says so.`;
  }
  const { id: userId, timeZone } = account;
  const eraseAt = await engines.database.work(system, (tx) =>
    beginDeletion(engines, tx, { userId, email, timeZone }, { askedBy: 'operator', now }),
  );
  if (eraseAt === undefined) throw new Error(`${email} is being deleted already.`);
  return `${email} is erased after ${eraseAt.toISOString().slice(0, 16).replace('T', ' ')} UTC, and has an email that says how to keep it. Make sure that it was its owner who asked.`;
}

const describeAgain = (count: number) =>
  count === 0
    ? 'Everybody in the list is erased.'
    : `${count === 1 ? '1 person who was erased is' : `${count} people who were erased are`} in this database, and erased again within an hour.`;

async function describeAccount(engines: Engines, userId: string): Promise<string> {
  const { deletion, effects } = await engines.database.work(system, async (tx) => ({
    deletion: await findDeletionOf(tx, userId),
    effects: await effectsOf(engines, tx, userId),
  }));
  const now =
    deletion === undefined || deletion.state === 'kept' ? 'Nobody has asked for its deletion.' : stateOf(deletion);
  return [now, 'Deleting it now would do this:', ...describeEffects(effects).map((line) => `  · ${line}`)].join('\n');
}

const stateOf = ({ id, state, eraseAt, keysDestroyedAt, filesRemovedAt }: Deletion) =>
  [
    `Deletion ${id}: ${state}, due ${eraseAt.toISOString()}`,
    `keys ${keysDestroyedAt === null ? 'there' : `destroyed ${keysDestroyedAt.toISOString()}`}`,
    `files ${filesRemovedAt === null ? 'there' : `removed ${filesRemovedAt.toISOString()}`}`,
  ].join(', ');

async function describeCertificate({ database }: Engines, id: string): Promise<string> {
  const deletion = isUuid(id) ? await database.work(system, (tx) => findDeletion(tx, id)) : undefined;
  const erasure = isUuid(id) ? await database.work(system, (tx) => findErasure(tx, id)) : undefined;
  if (erasure?.certificate != null) return JSON.stringify({ id, ...erasure.certificate }, null, 2);
  if (deletion?.certificate == null) throw new Error(`There is no certificate ${id}. Its number stands in the email.`);
  return JSON.stringify({ id, doneAt: deletion.doneAt, ...deletion.certificate }, null, 2);
}
