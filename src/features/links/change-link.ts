import type { Tx } from '#engines/database/work.ts';
import type { KeyRing } from '#engines/keys/key-ring.ts';
import { isSessionThere } from '#features/accounts/security-store.ts';
import type { ConsentGap } from '#features/albums/contract.ts';
import { commitment, linkSeed } from '#features/media/formats/codeword.ts';
import { ensureTraceKey } from '#features/media/keys-store.ts';
import { endSales } from '#features/sales/ending.ts';
import { newToken } from '#kit/ids.ts';
import { refuse } from '#wire/refusals.ts';
import type { LinkRulesInput } from './contract.ts';
import { insertLinkCommitments, insertLinks, insertPolicyLog, type NewLink } from './creating/new-links-store.ts';
import { findOwned } from './creating/references-store.ts';
import { Policy } from './policy.ts';
import { takeTips } from './presets/album-default-rules.ts';
import {
  allTiersOf,
  asksFirst,
  asksMoney,
  composeSlug,
  findRuleFault,
  findTimeFault,
  mostOfLink,
  tipsOf,
} from './rules.ts';
import {
  type AlbumToShare,
  type LockedLink,
  lockLinks,
  lockLinksOf,
  replaceSlug,
  takesTips,
  updateLink,
  wakeReminders,
} from './store.ts';
import type { Doing } from './to-api.ts';

/** Rules and end of a link that can be made now. @throws VALIDATION with the field that cannot */
export function checkRules(rules: LinkRulesInput, hasPassword: boolean, expiresAt: Date | null, now: Date): Policy {
  const policy = Policy.parse({ ...rules, password: hasPassword });
  const fault = findRuleFault(policy) ?? findTimeFault(policy, expiresAt, now);
  if (fault !== undefined) throw refuse('VALIDATION', { message: fault.sentence, field: fault.field });
  return policy;
}

/** Looks whether what rules name is this creator's own. @throws VALIDATION for an agreement or a tier that is not */
export async function checkReferences(
  tx: Tx,
  policy: Pick<Policy, 'agreementId' | 'offers'>,
  creatorId: string,
): Promise<void> {
  const { agreementId } = policy;
  const tierIds = allTiersOf(policy).flat();
  if (agreementId === undefined && tierIds.length === 0) return;
  const { hasAgreement, hasTiers } = await findOwned(tx, { creatorId, agreementId, tierIds });
  if (!hasAgreement)
    throw refuse('VALIDATION', { field: 'rules.agreementId', message: 'Choose an agreement that you have written.' });
  if (!hasTiers) throw refuse('VALIDATION', { field: 'rules.offers', message: 'Choose one of your own tiers.' });
}

const tipsAreOff = () =>
  refuse('VALIDATION', {
    field: 'rules.offers',
    message: "Tips are off for this album. Turn them on in the album's settings first.",
  });

/** @throws NOT_FOUND, ALBUM_EMPTY, CONSENT_MISSING, VALIDATION, or CONFLICT for an album that cannot be shared like this */
export function checkAlbums(
  albums: readonly AlbumToShare[],
  wanted: number,
  policy: Policy,
  isLaxConfirmed: boolean,
): void {
  if (albums.length < wanted) throw refuse('NOT_FOUND');
  for (const { state, readyCount, pendingCount } of albums) {
    if (state !== 'ready' && state !== 'draft')
      throw refuse('CONFLICT', { message: "An archived or locked album can't be shared. Restore it first." });
    if (readyCount > 0 && state === 'ready') continue;
    const isPending = pendingCount > 0;
    throw refuse(
      'ALBUM_EMPTY',
      isPending ? { message: 'Its first picture is still being prepared. Try again in a moment.' } : {},
    );
  }
  checkConsents(albums);
  if (albums.reduce((sum, { readyCount, pendingCount }) => sum + readyCount + pendingCount, 0) > mostOfLink)
    throw refuse('VALIDATION', {
      field: 'albumIds',
      message: `A link can show up to ${mostOfLink} photos and videos. Choose fewer albums.`,
    });
  if (tipsOf(policy).length > 0 && !takeTips(albums)) throw tipsAreOff();
  const isLax = albums.some(
    ({ isProtected, priceCents }) => (isProtected && !asksFirst(policy)) || (priceCents !== null && !asksMoney(policy)),
  );
  if (isLax && !isLaxConfirmed)
    throw refuse('CONFLICT', {
      reason: 'LAXER_THAN_ALBUM',
      message: 'Anyone with this link gets in. Make it anyway?',
    });
}

const consentWords = {
  unsaid: 'Say first who is shown in this album.',
  missing: 'Not everyone shown has agreed yet.',
  withdrawn: 'Someone shown has withdrawn their consent. The album is locked.',
} as const satisfies Record<ConsentGap, string>;

/** @throws CONSENT_MISSING unless it is said of every album who is shown, and all of them agree */
function checkConsents(albums: readonly AlbumToShare[]): void {
  for (const { consentGap } of albums)
    if (consentGap !== null) throw refuse('CONSENT_MISSING', { reason: consentGap, message: consentWords[consentGap] });
}

/**
 * Waits until nobody else makes, brings back or ends this creator's links.
 * @throws UNAUTHENTICATED when the session was ended meanwhile, as by whoever locked everything
 */
export async function lockForNew(tx: Tx, { userId, sessionId }: { userId: string; sessionId: string }): Promise<void> {
  await lockLinksOf(tx, userId);
  if (!(await isSessionThere(tx, sessionId))) throw refuse('UNAUTHENTICATED');
}

/** Makes links with the first version of their rules and their halves of the codewords, all of one creator. @throws VALIDATION */
export async function insertAllWithRules(
  tx: Tx,
  links: readonly Omit<NewLink, 'slug'>[],
  keys: KeyRing,
): Promise<void> {
  const [first] = links;
  if (first === undefined) return;
  // Links that are made together have one set of rules.
  await checkReferences(tx, Policy.parse(first.policy), first.creatorId);
  await insertUnderFreeSlugs(tx, links);
  await insertPolicyLog(
    tx,
    links.map(({ id, passwordHash, ...link }) => ({
      ...link,
      linkId: id,
      version: 1,
      passwordVersion: passwordHash === null ? 0 : 1,
    })),
  );
  const traceKey = await ensureTraceKey(tx, keys, first.creatorId);
  await insertLinkCommitments(
    tx,
    links.map(({ id: linkId, creatorId, now }) => ({
      linkId,
      creatorId,
      commitment: commitment(linkId, linkSeed(traceKey, linkId)),
      now,
    })),
  );
}

/** Makes the link with the first version of its rules and its half of the codewords. */
export const insertWithRules = (tx: Tx, link: Omit<NewLink, 'slug'>, keys: KeyRing): Promise<void> =>
  insertAllWithRules(tx, [link], keys);

/** Makes the links, each under the first address that is free. */
async function insertUnderFreeSlugs(tx: Tx, links: readonly Omit<NewLink, 'slug'>[]): Promise<void> {
  let missing = links;
  for (let tries = 0; tries < 3 && missing.length > 0; tries++) {
    const made = await insertLinks(
      tx,
      missing.map((link) => ({ ...link, slug: newToken() })),
    );
    missing = missing.filter(({ id }) => !made.has(id));
  }
  if (missing.length > 0) throw new Error("Couldn't find a free address for the link.");
}

/**
 * Gives a link an address that begins with a word, as long as nobody has opened it; the address it had leads nowhere then.
 * @returns the new address; undefined when it has been opened, is revoked or isn't this creator's
 */
export async function giveWord(
  tx: Tx,
  { linkId, creatorId, word }: { linkId: string; creatorId: string; word: string },
): Promise<string | undefined> {
  const slug = composeSlug(word, newToken());
  return (await replaceSlug(tx, { linkId, creatorId, slug })) ? slug : undefined;
}

/** The links, held for a change of their rules. @throws NOT_FOUND, or GONE for a revoked one */
export async function lockForRules(tx: Tx, linkIds: readonly string[]): Promise<LockedLink[]> {
  const links = await lockLinks(tx, linkIds);
  if (links.length < new Set(linkIds).size) throw refuse('NOT_FOUND');
  if (links.some(({ isRevoked }) => isRevoked)) throw refuse('GONE', { message: 'This link is revoked.' });
  return links;
}

/** Puts a new version of a link's rules into force: the next open, lease and renewal read it. */
async function changeRules(
  tx: Tx,
  link: LockedLink,
  change: { policy: Policy; expiresAt: Date | null; passwordHash?: string | null | undefined },
  { creatorId, now, engines }: Doing,
): Promise<void> {
  const { policy, expiresAt, passwordHash } = change;
  const isSame =
    passwordHash === undefined &&
    expiresAt?.getTime() === link.expiresAt?.getTime() &&
    JSON.stringify(Policy.parse(link.policy)) === JSON.stringify(policy);
  if (isSame) return;
  const version = link.policyVersion + 1;
  const passwordVersion = passwordHash === undefined ? link.passwordVersion : link.passwordVersion + 1;
  await updateLink(tx, link.id, {
    policy: JSON.stringify(policy),
    policy_version: version,
    expires_at: expiresAt,
    password_hash: passwordHash,
    password_version: passwordVersion,
  });
  await insertPolicyLog(tx, [{ linkId: link.id, version, creatorId, policy, passwordVersion, expiresAt, now }]);
  await endSales(engines, tx, { linkIds: [link.id] });
  await tx.asSystem((system) => wakeReminders(system, link.id, now));
}

/** What a creator may change about the rules of one link. */
export interface RuleChange {
  rules: LinkRulesInput | undefined;
  /** undefined leaves the end as it is. */
  expiresAt: Date | null | undefined;
  /** null takes the password away, undefined leaves it. */
  passwordHash: string | null | undefined;
}

/** Applies a change of rules to a link that is held. @throws VALIDATION with the field that cannot be */
export async function applyRules(tx: Tx, link: LockedLink, change: RuleChange, doing: Doing): Promise<void> {
  const { rules, passwordHash } = change;
  const before = Policy.parse(link.policy);
  const expiresAt = change.expiresAt === undefined ? link.expiresAt : change.expiresAt;
  const hasPassword = passwordHash === undefined ? before.password : passwordHash !== null;
  // An end that has passed and is not touched is no fault of this change.
  const isPast = change.expiresAt === undefined && expiresAt !== null && expiresAt <= doing.now;
  const policy = checkRules(rules ?? before, hasPassword, isPast ? null : expiresAt, doing.now);
  if (rules !== undefined) await checkReferences(tx, policy, doing.creatorId);
  if (tipsOf(policy).length > 0 && tipsOf(before).length === 0 && !(await takesTips(tx, link.id))) throw tipsAreOff();
  await changeRules(tx, link, { policy, expiresAt, passwordHash }, doing);
}
