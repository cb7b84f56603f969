import type { Tx } from '#engines/database/work.ts';
import type { Engines } from '#engines/engines.ts';
import type { ConsentGap } from '#features/albums/contract.ts';
import { insertAudit } from '#features/audit/store.ts';
import type { Context } from '#wire/context.ts';
import { refuse } from '#wire/refusals.ts';
import { aliveSinceOf } from './alive-since.ts';
import type { MagicLink } from './contract.ts';
import { findLinks, type LinkRow } from './list-store.ts';
import { Policy } from './policy.ts';
import { insertActs, type LinkAct } from './versions/acts-store.ts';
import type { LinkVersion } from './versions-contract.ts';
import type { VersionRow } from './versions-store.ts';

/** Who does something when, for rows that remember it. */
export interface Doing {
  creatorId: string;
  now: Date;
  /** See `aliveSinceOf`. */
  aliveSince: Date;
  engines: Engines;
  requestId: string;
}

/** What a creator's call is, for the rows it writes. */
export const doingOf = async (context: Context & { creator: { userId: string } }): Promise<Doing> => ({
  creatorId: context.creator.userId,
  now: context.now,
  aliveSince: await aliveSinceOf(context),
  engines: context.engines,
  requestId: context.requestId,
});

/** Returns what is to be told first: what was taken back closes a link for longest. */
const worstGap = (gaps: readonly (ConsentGap | null)[]): ConsentGap | null =>
  (['withdrawn', 'missing', 'unsaid'] as const).find((gap) => gaps.includes(gap)) ?? null;

/** A row as its owner sees it. */
export function show(row: LinkRow, { installation }: Engines): MagicLink {
  const { id, linkName, recipientName, recipientChannel, note, welcomeText, slug, policyVersion, notify } = row;
  const albums = row.albums ?? [];
  return {
    id,
    linkName,
    recipientName,
    recipientChannel,
    note,
    welcomeText,
    slug,
    policyVersion,
    notify,
    url: `${installation.publicUrl}/view/${slug}`,
    albums: albums.map((album) => ({ id: album.id, name: album.name })),
    policy: Policy.parse(row.policy),
    expiresAt: row.expiresAt,
    createdAt: row.createdAt,
    isRevoked: row.isRevoked,
    revokedAt: row.revokedAt,
    undoUntil: row.undoUntil,
    isTakenDown: row.isTakenDown,
    isAlbumReady: albums.every(({ state }) => state === 'ready'),
    consentGap: worstGap(albums.map(({ gap }) => gap)),
    viewsCount: row.viewsCount,
    uniqueViewers: row.uniqueViewers,
    watchMs: row.watchMs,
    earnedCents: row.earnedCents,
    firstOpenedAt: row.firstOpenedAt,
    lastOpenedAt: row.lastOpenedAt,
    isLookingNow: row.isLookingNow,
    dark: row.darkAt && { screens: row.darkScreens, at: row.darkAt },
    lastVisit:
      row.visitStartedAt === null
        ? null
        : {
            startedAt: row.visitStartedAt,
            endedAt: row.visitEndedAt,
            endReason: row.visitEndReason,
            country: row.visitCountry,
            isCountryEstimated: row.visitPlaceSource === 'timezone',
            device: row.visitDevice,
          },
  };
}

/** These links as they are now. @throws NOT_FOUND when one is somebody else's or unknown */
export async function shown(tx: Tx, linkIds: readonly string[], { engines, aliveSince }: Doing): Promise<MagicLink[]> {
  const rows = await findLinks(tx, linkIds, aliveSince);
  if (rows.length < new Set(linkIds).size) throw refuse('NOT_FOUND');
  return rows.map((row) => show(row, engines));
}

/** This link as it is now. @throws NOT_FOUND when it is somebody else's or unknown */
export async function shownOne(tx: Tx, linkId: string, doing: Doing): Promise<MagicLink> {
  const [link] = await shown(tx, [linkId], doing);
  if (link === undefined) throw refuse('NOT_FOUND');
  return link;
}

/** Those of a creator's acts that stand in the link's timeline. */
const acts: Readonly<Record<string, LinkAct>> = {
  'link.revoked': 'revoked',
  'link.revived': 'revived',
  'link.shared': 'shared',
};

/** Writes down what was done to each link and tells the open pages. */
export async function note(tx: Tx, linkIds: readonly string[], kind: string, doing: Doing): Promise<void> {
  const { creatorId, requestId } = doing;
  await tx.asSystem(async (system) => {
    for (const id of linkIds)
      await insertAudit(system, {
        actor: { type: 'creator', id: creatorId },
        action: kind,
        target: { type: 'link', id },
        requestId,
      });
  });
  const act = acts[kind];
  if (act !== undefined && linkIds.length > 0) await insertActs(tx, { linkIds, creatorId, act, now: doing.now });
  for (const linkId of linkIds)
    await tx.publish({ kind: kind === 'link.revoked' ? kind : 'link.changed', creatorId, linkId });
}

/** Whose act a version was, by the account that is written beside it. */
function authorOf({ byUser, creatorId }: Pick<VersionRow, 'byUser' | 'creatorId'>): LinkVersion['by'] {
  if (byUser === null) return 'automatic';
  return byUser === creatorId ? 'creator' : 'operator';
}

/** A version of a link's rules as its owner sees it. */
export function showVersion(row: VersionRow): LinkVersion {
  const policy = Policy.parse(row.policy);
  const { version, at, expiresAt, passwordVersion, passwordVersionBefore } = row;
  const before =
    row.policyBefore === null ? null : { policy: Policy.parse(row.policyBefore), expiresAt: row.expiresBefore };
  // Versions from before passwords were counted: what changed nothing else has changed the password.
  const isKnown = passwordVersion !== null && passwordVersionBefore !== null;
  const changesNothing =
    JSON.stringify(policy) === JSON.stringify(before?.policy) && expiresAt?.getTime() === before?.expiresAt?.getTime();
  const hasOther = isKnown ? passwordVersion !== passwordVersionBefore : changesNothing;
  const hasNewPassword = before !== null && policy.password && hasOther;
  return { version, at, by: authorOf(row), policy, expiresAt, hasNewPassword, before };
}
