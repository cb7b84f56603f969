import type { Reason } from '#features/access/contract.ts';
import { Policy } from '#features/links/policy.ts';
import { blockViewer } from '#tests/support/database/viewer-rows.ts';
import type { Look } from '#tests/support/media/shared-video.ts';
import { advance, must, readRows } from '#tests/support/people.ts';
import type { SharedAlbum } from '#tests/support/shared-link.ts';
import { type Browser, newBrowser, type TestApp } from '#tests/support/test-app.ts';

/** A link at which somebody looks, and what lets them come back. */
interface Watched extends Look {
  albumId: string;
  resumeCode: string;
}

/** One gate alone: how it is closed while somebody looks, and what is said at the door from then on. */
export interface Gate {
  says: Reason;
  close(world: GateWorld, watched: Watched): Promise<unknown>;
  /** Who asks from then on, and with what, where it is not who looks. */
  asker?(watched: Watched): { browser: Browser; body: object };
  /** Opens again what other links share. */
  reopen?(world: GateWorld, watched: Watched): Promise<unknown>;
}

/** Where gates are closed. */
interface GateWorld {
  app: TestApp;
  shared: SharedAlbum;
}

/** Opens a new link to an album, with a viewer before it. */
export async function openWatched({ shared }: GateWorld, albumId: string): Promise<Watched> {
  const { id, slug } = await shared.makeLink({}, { albumIds: [albumId] });
  const browser = newBrowser();
  const { visitId, resumeCode } = (await shared.viewerApi.tap(slug, {}, browser)).head;
  return { browser, visitId, resumeCode, linkId: id, slug, albumId };
}

const asCreator = ({ app, shared }: GateWorld, procedure: string, input: object) =>
  must(app, procedure, input, shared.creator.browser);
const byRules = (says: Reason, rules: object, more: object = {}): Gate => ({
  says,
  close: (world, { linkId }) =>
    asCreator(world, 'links.update', { linkId, rules: { ageGate: false, ...rules }, ...more }),
});
const byRow = (says: Reason, change: string, idOf: (watched: Watched) => string): Gate => ({
  says,
  close: ({ app }, watched) => readRows(app, change, [idOf(watched)]),
});
/** Rules that are not to be offered yet, written as a later version will write them. */
const byLaterRules = (says: Reason, rules: object, change = 'select $1::uuid'): Gate => ({
  says,
  async close({ app }, { linkId, visitId }) {
    const policy = JSON.stringify(Policy.parse({ ageGate: false, ...rules }));
    const set = 'update magic_links set policy = $2, policy_version = policy_version + 1 where id = $1';
    await readRows(app, set, [linkId, policy]);
    await readRows(app, change, [visitId]);
  },
});
const ofCreator = (says: Reason, change: string): Gate => ({
  says,
  close: ({ app, shared }) => readRows(app, `update users set ${change} where id = $1`, [shared.creator.userId]),
  reopen: ({ app, shared }) =>
    readRows(app, `update users set is_free_user = true, status = 'active' where id = $1`, [shared.creator.userId]),
});
const ofAlbum = (says: Reason, change: string): Gate => ({
  ...byRow(says, `update albums set ${change} where id = $1`, ({ albumId }) => albumId),
  reopen: ({ app }, { albumId }) =>
    readRows(app, `update albums set state = 'ready', taken_down_at = null where id = $1`, [albumId]),
});
const byTime = (gate: Gate, ms: number): Gate => ({
  ...gate,
  async close(world, watched) {
    await gate.close(world, watched);
    advance(world.app, ms);
  },
});
const stranger = () => ({ browser: newBrowser(), body: {} });
/** A browser that keeps no cookie. */
function blocking() {
  const cookies = new Map<string, string>();
  cookies.set = () => cookies;
  return { browser: { ...newBrowser(), cookies }, body: {} };
}
const minute = 60_000;
const offers = (condition: object) => ({ offers: [{ id: 'a', all: [condition] }] });
/** Returns what the viewer of a visit has paid for its link. */
const orderThatIs = (state: string) =>
  `insert into checkout_orders (id, provider, livemode, kind, state, creator_id, link_id, viewer_id, acct_id, amount_cents, fee_cents, currency, terms,
     expires_at, paid_at, created_at)
   select gen_random_uuid(), 'sandbox', false, 'album', '${state}', l.user_id, l.id, s.viewer_id, 'acct_gate', 500, 50, 'usd', '{"opens":true}',
     now(), now(), now() from viewer_sessions s join magic_links l on l.id = s.link_id where s.id = $1`;
const watchedLink = ({ linkId }: Watched) => linkId;

/** Every gate that can close on somebody who looks, by what it is. */
export const gates: Record<string, Gate> = {
  'a password': byRules('NEED_PASSWORD', {}, { password: 'blue orchard' }),
  'an age to confirm': byRules('NEED_AGE', { ageGate: true }),
  'a country': byRules('GEO_BLOCKED', { geo: { mode: 'allow', countries: ['JP'], whenUnknown: 'deny' } }),
  'a day to come': byRules('NOT_YET', { notBefore: '2026-12-05T00:00:00Z' }),
  'an end': {
    says: 'EXPIRED',
    async close(world, { linkId }) {
      const at = new Date(world.app.engines.clock() + 1000);
      await asCreator(world, 'links.update', { linkId, expiry: { kind: 'at', at } });
      advance(world.app, 1000);
    },
  },
  'a time from the first look': byTime(byRules('TIMED_OUT', { openForMs: minute }), minute),
  'a time to watch': {
    says: 'TIME_USED',
    async close(world, watched) {
      await byRules('TIME_USED', { viewBudgetMs: minute }).close(world, watched);
      const all = `update link_viewers set watched_ms = 60000 where link_id = $1`;
      await readRows(world.app, all, [watched.linkId]);
    },
  },
  'a number of visits': byTime(byRules('VISITS_USED', { maxVisits: 1 }), 11 * minute),
  // Strangers of a link that is full, and whoever was blocked, are told what everybody is told of a link that is not there.
  'a number of people': { ...byRules('NOT_FOUND', { maxViewers: 1 }), asker: stranger },
  'one person alone': { ...byRules('NOT_FOUND', { bindFirstViewer: true }), asker: stranger },
  'a cookie that is not kept, where people are counted': {
    ...byRules('NEED_COOKIE', { maxViewers: 5 }),
    asker: blocking,
  },
  'a program, where people are counted': {
    says: 'NEED_BROWSER',
    async close(world, watched) {
      await byRules('NEED_BROWSER', { maxViewers: 5 }).close(world, watched);
      const all = `update viewer_sessions set suspect_reason = 'automation' where id = $1`;
      await readRows(world.app, all, [watched.visitId]);
    },
    asker: ({ browser }) => ({ browser, body: { isDriven: true } }),
  },
  'a number of screens': {
    ...byRules('CONCURRENT', { maxConcurrent: 1 }),
    asker: ({ resumeCode }) => ({ browser: newBrowser(), body: { resumeCode } }),
  },
  'an address to prove': byLaterRules('NEED_EMAIL', { email: { verify: true, allow: [] } }),
  'addresses that may': byLaterRules(
    'EMAIL_NOT_ALLOWED',
    { email: { verify: true, allow: ['@elsewhere.example'] } },
    `insert into gate_passes (link_id, viewer_id, gate, rule_version, at, email)
     select link_id, viewer_id, 'email', 1, now(), gen_random_uuid() || '@here.example' from viewer_sessions where id = $1`,
  ),
  'an agreement': byLaterRules('NEED_AGREEMENT', { agreementId: '0199a5c0-0000-7000-8000-000000000001' }),
  'a question to the creator': byLaterRules('NEED_APPROVAL', offers({ kind: 'approval' })),
  'a price': byLaterRules('NEED_OFFER', offers({ kind: 'pay', priceCents: 500 })),
  'a payment that is with a bank': byLaterRules(
    'ON_HOLD',
    offers({ kind: 'pay', priceCents: 500 }),
    orderThatIs('disputed'),
  ),
  'a payment that a bank has returned': byLaterRules(
    'PAYMENT_RETURNED',
    offers({ kind: 'pay', priceCents: 500 }),
    orderThatIs('charged_back'),
  ),
  'a link that was revoked': {
    says: 'REVOKED',
    close: (world, { linkId }) => asCreator(world, 'links.revoke', { linkIds: [linkId] }),
  },
  'a link that was taken down': byRow(
    'TAKEN_DOWN',
    'update magic_links set taken_down_at = now() where id = $1',
    watchedLink,
  ),
  'an album that was taken down': ofAlbum('TAKEN_DOWN', 'taken_down_at = now()'),
  'an album that is locked': ofAlbum('ALBUM_UNAVAILABLE', `state = 'locked'`),
  'an album that was archived': {
    says: 'ALBUM_UNAVAILABLE',
    close: (world, { albumId }) => asCreator(world, 'albums.archive', { albumId }),
    reopen: (world, { albumId }) => asCreator(world, 'albums.unarchive', { albumId }),
  },
  'an album that was deleted': {
    says: 'ALBUM_UNAVAILABLE',
    close: (world, { albumId }) => asCreator(world, 'albums.remove', { albumId }),
    reopen: (world, { albumId }) => asCreator(world, 'albums.restore', { albumId }),
  },
  'a viewer who was blocked': {
    says: 'NOT_FOUND',
    close: ({ app }, { visitId }) => blockViewer(app, visitId),
  },
  'a creator whose plan has ended': ofCreator(
    'CREATOR_PAUSED',
    `is_free_user = false, subscription_status = 'inactive', trial_ends_at = null`,
  ),
  'a creator who was stopped': ofCreator('CREATOR_PAUSED', `status = 'suspended'`),
  'a creator who leaves': ofCreator('REVOKED', `status = 'deleting'`),
};

/** Reasons that nobody is told: who is blocked or comes too late hears of no link, and nobody can ask for one yet. */
export const neverTold: readonly Reason[] = [
  'VIEWER_BLOCKED',
  'VIEWERS_FULL',
  'APPROVAL_PENDING',
  'APPROVAL_DENIED',
  // Told by the kind of device alone, and the screens here are phones: it is tried in `phones-only.test.ts`.
  'NEED_PHONE',
];
