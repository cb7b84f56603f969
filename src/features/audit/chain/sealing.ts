import type { Engines } from '#engines/engines.ts';
import { newId } from '#kit/ids.ts';
import { dayMs } from '#kit/time.ts';
import { insertErrorLog } from '../store.ts';
import { findFault, firstHash, hashSeal } from './chain.ts';
import {
  type AuditCheck,
  countStrays,
  endCheck,
  findNewestSeal,
  findSealSeen,
  insertCheck,
  insertSeal,
  listSealsAfter,
  listUnsealed,
  takeSealTurn,
} from './chain-store.ts';

const system = { kind: 'system' } as const;
const keptMs = 90 * dayMs;

/** Seals what is not sealed yet; whoever comes while another process seals leaves it to that one. @returns how many entries */
export async function sealAudit({ database }: Pick<Engines, 'database'>): Promise<number> {
  let count = 0;
  for (;;) {
    const sealed = await database.work(system, async (tx) => {
      if (!(await takeSealTurn(tx))) return 0;
      let { n, hash } = (await findNewestSeal(tx)) ?? { n: 0, hash: firstHash };
      const months = await listUnsealed(tx);
      for (const { entries, ...rows } of months) {
        const seal = { ...rows, n: n + 1 };
        hash = hashSeal(seal, hash);
        n = seal.n;
        await insertSeal(tx, { ...seal, hash }, entries);
      }
      return months.reduce((sum, { entries }) => sum + entries, 0);
    });
    if (sealed === 0) return count;
    count += sealed;
  }
}

/**
 * Looks at every seal and every entry under one, and keeps what was found. A fault is kept in the error log, too.
 * @returns the check
 */
export async function checkAudit({ database, clock }: Pick<Engines, 'database' | 'clock'>): Promise<AuditCheck> {
  await sealAudit({ database });
  const [id, beganAt] = [newId<'auditCheck'>(clock()), new Date(clock())];
  await database.work(system, (tx) => insertCheck(tx, id, beganAt, new Date(beganAt.getTime() - keptMs)));
  const { hash, ...found } = await walkChain(database);
  const check = { id, endedAt: new Date(clock()), ...found };
  await database.work(system, async (tx) => {
    await endCheck(tx, check, hash);
    if (check.fault !== null)
      await insertErrorLog(tx, { component: 'audit.check', message: check.fault, severity: 'critical' }, check.endedAt);
  });
  return { ...check, beganAt };
}

type Walked = Pick<AuditCheck, 'seals' | 'entries' | 'fault'> & { hash: Buffer };

async function walkChain(database: Engines['database']): Promise<Walked> {
  const seen = await database.work(system, findSealSeen);
  let previous = { n: 0, hash: firstHash };
  let entries = 0;
  const end = (fault: string | null): Walked => ({ seals: previous.n, entries, fault, hash: previous.hash });
  for (;;) {
    const after = previous.n;
    const seals = await database.work(system, (tx) => listSealsAfter(tx, after));
    for (const seal of seals) {
      const fault = findFault(seal, previous);
      if (fault !== undefined) return end(fault);
      if (seal.n === seen?.n && !seal.hash.equals(seen.hash))
        return end(`Seal ${seal.n} is not the one that an earlier check has seen.`);
      previous = seal;
      entries += seal.foundEntries;
    }
    if (seals.length === 0) break;
  }
  const [n, sealed] = [previous.n, entries];
  if (n < (seen?.n ?? 0)) return end(`An earlier check has seen ${seen?.n} seals: the last of them are missing.`);
  const strays = await database.work(system, (tx) => countStrays(tx, n, sealed));
  return end(
    strays === 0 ? null : `${strays} entries among the sealed ones are under no seal: they were put in later.`,
  );
}
