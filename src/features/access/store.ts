import type { Tx } from '#engines/database/work.ts';
import type { Realm } from '#engines/payments/payments.ts';
import { accountAccessOf } from '#features/accounts/rules.ts';
import { Policy } from '#features/links/policy.ts';
import { createLru } from '#kit/lru.ts';
import { dayMs } from '#kit/time.ts';
import { hasAccess } from '#wire/context.ts';
import { type AskedState, sumUpAsked } from './asked-rules.ts';
import { askedAlbumsOf, givenOf } from './asked-store.ts';
import { termsFor } from './bought.ts';
import { boughtOf, type UsedUp, usedBeforeOf } from './bought-store.ts';
import type { Host } from './contract.ts';
import { bySlug, type FactsRow, ofVisit } from './facts-store.ts';
import { fansOf } from './fans-store.ts';
import { withBegunOffers } from './offer-steps.ts';
import { pickEmail } from './policy.ts';
import { areAlbumsReady, type Facts, type LinkRules, visitGapMs } from './rules.ts';

/** Where the facts are read: inside a unit of work of the system, or straight from the database without one. */
export type Source = Pick<Tx, 'query'>;

/** Who asks, as far as a request can tell. */
export interface Asker {
  now: Date;
  /** Whose money counts: what was paid in another realm opens nothing. */
  realm: Realm;
  /** A screen that has not renewed its keys since then is none any more. */
  aliveSince: Date;
  /** SHA-256 of the secret in the viewer's cookie; without one the viewer is new. */
  deviceSecretHash: Uint8Array | undefined;
  /** Two letters, from the address; left out when nobody knows. */
  country: string | undefined;
  /** The cookie was brought along, not given with this call; whoever asks about a visit has brought it. */
  keepsCookie?: boolean;
  /** A program that drives a browser, by its own word. */
  isProgram?: boolean;
  /** A browser that doesn't say that it is on a phone or a tablet. */
  isDesktop: boolean;
}

/** One question to `decide`, with what the rooms above need to act on its answer. */
export interface Question {
  link: LinkRules;
  facts: Facts;
  linkId: string;
  creatorId: string;
  policyVersion: number;
  host: Host;
  /** The creator takes requests for custom work, and an album of this link offers it. */
  takesRequests: boolean;
  /** Whom the creator made the link for, if they said; only asked at the door. */
  recipientName: string | undefined;
  /** Known by the cookie; left out for a browser that never passed a gate. */
  viewer: { viewerId: string; deviceId: string } | undefined;
  /** The admission of this viewer to this link, which is the grant that owns the codeword. */
  grantId: string | undefined;
  /** The visit that is asked for, or this browser's newest one on this link. */
  visit: VisitFact | undefined;
  /** What became of this viewer's requests for the albums of the link. */
  asked: AskedState;
  /** Media that left the link since this visit began. */
  gone: readonly string[];
  /** What this viewer had used up before they paid, and what the rows of the admission still hold. */
  usedBefore: UsedUp;
  /** To check a password that was typed; a match is written as a pass of `version`. */
  password: { hash: string; version: number } | undefined;
}

export interface VisitFact {
  visitId: string;
  state: 'open' | 'closed' | 'cut';
  endReason: string | undefined;
  startedAt: Date;
  lastHeartbeatAt: Date;
  /** What is looked at since the last move, and for how long. */
  currentMediaId: string | undefined;
  lookMs: number;
  /** It is a view already. */
  isCounted: boolean;
  /** The creator's own look, or support's. */
  isOwn: boolean;
  /** It ended with the link's own rule, which closed the link to this viewer. */
  isClosedOut: boolean;
  /** A new look is the same visit: the gap is under 10 minutes, and it was neither cut nor taken over. */
  goesOn: boolean;
}

/** How long "Yes, I am 18 or older" is remembered. */
const ageMemoryMs = 30 * dayMs;

/**
 * The live facts of one link for one browser, read again by one statement; nothing of it may be kept.
 * Undefined when there is no such link.
 */
export async function findFactsBySlug(source: Source, slug: string, asker: Asker): Promise<Question | undefined> {
  return find(source, bySlug, slug, asker);
}

/** The same for a renewal. Undefined when there is no such visit or another browser began it. */
export async function findFactsOfVisit(source: Source, visitId: string, asker: Asker): Promise<Question | undefined> {
  return find(source, ofVisit, visitId, asker);
}

async function find(source: Source, which: typeof bySlug, key: string, asker: Asker): Promise<Question | undefined> {
  const { provider, livemode } = asker.realm;
  const values = [key, asker.deviceSecretHash ?? null, asker.aliveSince, provider, livemode];
  const [row] = await source.query(which, values);
  return row === undefined ? undefined : questionOf(row, asker);
}

function questionOf(row: FactsRow, asker: Asker): Question {
  const now = asker.now.getTime();
  const albums = (row.albums ?? []).map(({ id, state }) => ({ albumId: id, state }));
  const visit = visitOf(row, now);
  const link = {
    albumIds: albums.map(({ albumId }) => albumId),
    revokedAt: isGone(row) ? (row.revoked_at?.getTime() ?? now) : undefined,
    expiresAt: row.expires_at?.getTime(),
    policy: withBegunOffers(readPolicy(row.policy), row.begun ?? []),
  };
  return {
    link,
    facts: withPassed(link, factsOf(row, albums, visit, asker), row),
    linkId: row.link_id,
    creatorId: row.creator_id,
    policyVersion: row.policy_version,
    host: hostOf(row),
    takesRequests: row.takes_requests === true,
    recipientName: row.recipient_name ?? undefined,
    viewer:
      row.viewer_id === null || row.device_id === null
        ? undefined
        : { viewerId: row.viewer_id, deviceId: row.device_id },
    grantId: row.grant_id ?? undefined,
    visit,
    asked: sumUpAsked(askedAlbumsOf(row), now),
    gone: row.gone ?? [],
    usedBefore: usedBeforeOf(row),
    password: row.password_hash === null ? undefined : { hash: row.password_hash, version: row.password_version },
  };
}

const hostOf = ({ display_name, welcome_text, avatar_small }: FactsRow): Host => ({
  name: display_name,
  welcomeText: welcome_text,
  ...(avatar_small != null && { avatar: `data:image/webp;base64,${avatar_small.toString('base64')}` }),
});

/** The facts with the address and the agreement that count by the terms of this viewer. */
function withPassed(link: LinkRules, facts: Facts, { proven_emails, accepted }: FactsRow): Facts {
  const terms = termsFor(link, facts);
  const email = pickEmail(terms, proven_emails ?? []);
  const agreementId = accepted?.find((id) => id === terms.agreementId);
  return { ...facts, passed: { ...facts.passed, email, agreementId } };
}

/** Returns whether the creator's own plan has lapsed, or their account is suspended. */
function isPaused(row: FactsRow, now: Date): boolean {
  const stored = {
    status: row.status,
    emailVerified: true,
    setupStep: 'done',
    isAdmin: row.is_admin,
    isFreeUser: row.is_free_user,
    freeUntil: row.free_until,
    subscriptionStatus: row.subscription_status,
    trialEndsAt: row.trial_ends_at,
  } as const;
  return row.status === 'suspended' || !hasAccess(accountAccessOf(stored, now));
}

/** Where nobody has said who is shown, nobody has agreed. */
function consentOf({ consent }: FactsRow): Facts['consent'] {
  if (consent === null) return undefined;
  return consent === 'withdrawn' ? consent : 'missing';
}

/** The links of a creator who is leaving are dead at once, whatever was paid. */
const isGone = ({ is_revoked, status }: FactsRow) => is_revoked || status === 'deleting' || status === 'deleted';

function factsOf(
  row: FactsRow,
  albums: { albumId: string; state: string }[],
  visit: VisitFact | undefined,
  asker: Asker,
): Facts {
  const now = asker.now.getTime();
  const grants = [...boughtOf(row, albums), ...givenOf(row)];
  const before = usedBeforeOf(row);
  const isOnScreen = visit?.state === 'open' && visit.lastHeartbeatAt > asker.aliveSince;
  return {
    now,
    takenDown: row.taken_down,
    viewerBlocked: row.blocked,
    creatorPaused: isPaused(row, asker.now),
    albumReady: areAlbumsReady(albums, grants, now),
    consent: consentOf(row),
    country: asker.country,
    passed: {
      age: row.age_confirmed_at !== null && row.age_confirmed_at.getTime() > now - ageMemoryMs,
      password: row.password_passed,
    },
    request: sumUpAsked(askedAlbumsOf(row), now).request,
    grants,
    ...(row.bought_policy !== null && { boughtUnder: readPolicy(row.bought_policy) }),
    tips: row.tips ?? [],
    fanSubs: fansOf(row),
    payback: row.payback ?? undefined,
    isDeliveryHeld: row.delivery_held,
    isDelivery: row.is_delivery,
    firstLookAt: (row.bought_version === null ? row.first_admitted_at : row.bought_opened_at)?.getTime(),
    watchedMs: Math.max(0, (row.watched_ms ?? 0) - before.watchedMs),
    lentMs: Math.max(0, (row.lent_ms ?? 0) - before.lentMs),
    visits: Math.max(0, (row.visits ?? 0) - before.visits - (visit?.goesOn ? 1 : 0)),
    visitOpen: isOnScreen,
    viewersKnown: row.viewers_known ?? 1,
    isKnownViewer: row.grant_id !== null || row.has_place,
    keepsCookie: asker.keepsCookie ?? true,
    isProgram: asker.isProgram ?? row.visit_suspect === 'automation',
    isDesktop: asker.isDesktop,
    concurrent: row.concurrent,
  };
}

/** Ended by leaving or by idling; what was cut, used up or taken over by another screen does not go on. */
const softEnds: readonly (string | null)[] = [null, 'left', 'idle'];

function visitOf(row: FactsRow, now: number): VisitFact | undefined {
  const { visit_id, visit_state, visit_end, visit_started_at, visit_beat_at } = row;
  if (visit_id === null || visit_state === null || visit_started_at === null || visit_beat_at === null)
    return undefined;
  return {
    visitId: visit_id,
    state: visit_state,
    endReason: visit_end ?? undefined,
    startedAt: visit_started_at,
    lastHeartbeatAt: visit_beat_at,
    currentMediaId: row.visit_media_id ?? undefined,
    lookMs: row.visit_look_ms ?? 0,
    isCounted: row.visit_counted === true,
    isOwn: row.visit_suspect === 'own' || row.visit_suspect === 'admin',
    isClosedOut: row.closed_out && visit_end === 'security',
    goesOn: visit_state !== 'cut' && softEnds.includes(visit_end) && visit_beat_at.getTime() > now - visitGapMs,
  };
}

const parsed = createLru<string, Policy>(5000);

/** Rules are parsed once per text, so a changed rule can never meet an old copy. */
const readPolicy = (text: string): Policy => parsed.get(text) ?? parsed.set(text, Policy.parse(JSON.parse(text)));
