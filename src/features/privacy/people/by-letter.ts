import type { Engines } from '#engines/engines.ts';
import { describeMyEffects } from '../my-data-words.ts';
import { beginErasure } from './beginning.ts';
import { findPersonEffects } from './effects-store.ts';
import { keepPerson } from './erasures-store.ts';
import { writeOwnFile } from './export-person.ts';
import { findPerson } from './person-store.ts';

const system = { kind: 'system' } as const;

/**
 * `pf data … --address`: what people without an account may ask for by letter.
 * @returns what to print @throws a sentence that says what is wrong
 */
export async function runPersonData(engines: Engines, verb: string | undefined, typed: string): Promise<string> {
  const { database, clock } = engines;
  const address = typed.trim().toLowerCase();
  const now = new Date(clock());
  const person = await database.work(system, (tx) => findPerson(tx, { email: address, viewerId: null }));
  if (address === '' || (person.buyerId === null && person.viewerIds.length === 0))
    throw new Error(`Nobody without an account has the address "${typed}".`);
  if (verb === 'export') return (await writeOwnFile(engines, person, now)).trimEnd();
  if (verb === 'show') {
    const effects = await database.work(system, (tx) => findPersonEffects(tx, person, now));
    return ['Erasing it now would do this:', ...describeMyEffects(effects).map((line) => `  · ${line}`)].join('\n');
  }
  if (verb === 'keep') {
    if (!(await database.work(system, (tx) => keepPerson(tx, person, now))))
      throw new Error(`${address} is not about to be erased, or its time is over.`);
    return `${address} stays.`;
  }
  if (verb !== 'erase') throw new Error('Use `data show|export|erase|keep --address A`.');
  const eraseAt = await database.work(system, (tx) => beginErasure(engines, tx, person, { askedBy: 'operator', now }));
  if (eraseAt === undefined) throw new Error(`${address} is being erased already.`);
  return `${address} is erased after ${eraseAt.toISOString().slice(0, 16).replace('T', ' ')} UTC, and has an email that says how to keep it. Make sure that it was its owner who asked.`;
}
