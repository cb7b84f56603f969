import type { Engines } from '#engines/engines.ts';
import { type Asker, findFactsOfVisit } from '#features/access/store.ts';
import { codewordsOf, type Grant } from '#features/media/codewords.ts';
import { signLease } from '#features/media/lease-token.ts';
import type { LeaseRow } from '#features/media/leases-store.ts';
import type { KeyedPack } from '#features/media/stored-pack.ts';
import { newId } from '#kit/ids.ts';
import type { Lease, Rendition } from '../contract.ts';
import { decideGoing, type No } from '../refusals.ts';
import type { Changes } from '../visits/change-watch.ts';

/** How long keys are lent, when an open screen asks again, and how long it may stand untouched. */
export interface Terms {
  leaseMs: number;
  renewMs: number;
  idleMs: number;
}

/** A lease with the pack that it is for. */
export interface Lending {
  row: LeaseRow;
  pack: KeyedPack;
}

/** Returns when keys that are lent now are over: after their time, and never later than what was decided. @param until of the decision */
export const leaseEndsAt = (now: Date, { leaseMs }: Terms, until: number | undefined): Date =>
  new Date(Math.min(now.getTime() + leaseMs, until ?? Number.POSITIVE_INFINITY));

/** One lease for each pack; nothing is written yet. */
export function lend(packs: readonly KeyedPack[], now: Date): Lending[] {
  return packs.map((pack) => {
    const { id: packId, mediaId, rendition } = pack;
    return { pack, row: { leaseId: newId(now.getTime()), mediaId, rendition, packId } };
  });
}

/** Leases as the browser gets them. */
export async function showLeases(
  engines: Engines,
  grant: Grant,
  lendings: readonly Lending[],
  { renewMs }: Terms,
  { now, expiresAt }: { now: Date; expiresAt: Date },
): Promise<Lease[]> {
  const codewords = codewordsOf(engines);
  return Promise.all(
    lendings.map(async ({ row: { leaseId, mediaId, rendition, packId }, pack }) => {
      const { tag } = await codewords.shareOf(grant, pack);
      return {
        leaseId,
        mediaId,
        rendition: rendition as Rendition,
        packId,
        token: signLease(engines.keys, { leaseId, packId, grantId: grant.grantId }, expiresAt),
        url: `/m/c/${packId}/${tag}`,
        expiresInMs: expiresAt.getTime() - now.getTime(),
        renewAfterMs: renewMs,
      };
    }),
  );
}

/** What a running stream asks before every picture. */
export interface Guard {
  mayGoOn(): Promise<boolean>;
  /** Whether the link shows it no more, by the facts that were read last. */
  isGone(mediaId: string): boolean;
  /** Why not, once it said no. */
  refusal(): No | undefined;
}

/** The database is asked again after this time even when nothing was heard. */
const recheckMs = 1000;

/**
 * Watches over one stream: what happened in memory to its link, viewer and visit, and at least every second the facts again.
 * @param mark of the moment before the facts were read
 */
export function guardStream(
  engines: Engines,
  changes: Changes,
  { visitId, ids, asker, mark }: { visitId: string; ids: readonly string[]; asker: Asker; mark: number },
): Guard {
  let seen = mark;
  let checkedAt = engines.linkClock();
  let no: No | undefined;
  let gone: ReadonlySet<string> = new Set();
  return {
    refusal: () => no,
    isGone: (mediaId) => gone.has(mediaId),
    async mayGoOn() {
      if (no !== undefined) return false;
      // A clock that was set back meanwhile says nothing of how long ago that was.
      const sinceMs = Math.abs(engines.linkClock() - checkedAt);
      if (!changes.since(seen, ids) && sinceMs < recheckMs) return true;
      seen = changes.mark();
      const now = new Date(engines.linkClock());
      checkedAt = now.getTime();
      const question = await findFactsOfVisit(engines.database, visitId, { ...asker, now });
      gone = new Set(question?.gone);
      const going = decideGoing(question, now);
      if (!going.ok) no = going;
      return going.ok;
    },
  };
}
