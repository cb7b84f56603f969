import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Tx } from '#engines/database/work.ts';
import type { MagicLink } from '#features/links/contract.ts';
import { Policy } from '#features/links/policy.ts';
import { screenAliveMs } from '#features/links/rules.ts';
import { addViewer, admitViewer, hashOf, type ViewerInTest } from '#tests/support/database/viewer-rows.ts';
import { type Person, signUpCreator } from '#tests/support/people.ts';
import { addReadyAlbum } from '#tests/support/ready-album.ts';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { decide } from './rules.ts';
import { findFactsBySlug, findFactsOfVisit } from './store.ts';

let app: TestApp;
let mia: Person;
let album: string;
const noon = '2026-11-21T12:00:00Z';
const hour = 3_600_000;
const at = (ms: number) => new Date(Date.parse(noon) + ms);

beforeAll(async () => {
  app = await openTestApp({ now: noon });
  mia = await signUpCreator(app);
  album = await addReadyAlbum(app, mia.userId);
});
afterAll(() => app.close());

const asSystem = <T>(run: (tx: Tx) => Promise<T>) => app.engines.database.work({ kind: 'system' }, run);
const call = async (procedure: string, input: object) => {
  const { status, body } = await app.call(`links.${procedure}`, input, mia.browser);
  expect(status).toBe(200);
  return body;
};
const make = (input: object = {}): Promise<MagicLink> => call('create', { albumIds: [album], ...input });
const asker = (viewer: ViewerInTest | undefined, now: Date, country: string | undefined) => ({
  now,
  realm: app.engines.payments.realm,
  aliveSince: new Date(now.getTime() - screenAliveMs(15_000)),
  country,
  deviceSecretHash: viewer && hashOf(viewer.secret),
  isDesktop: true,
});
/** What an open of this link by this browser is told. */
async function opening(link: MagicLink, viewer: ViewerInTest | undefined, now = at(0), country?: string) {
  const question = await findFactsBySlug(app.engines.database, link.slug, asker(viewer, now, country));
  if (question === undefined) return 'NOT_FOUND';
  const decision = decide(question.link, question.facts);
  return decision.ok ? 'OK' : decision.reason;
}
/** What the renewal of an open visit is told. */
async function renewing(visitId: string, viewer: ViewerInTest, now = at(0), country?: string) {
  const question = await findFactsOfVisit(app.engines.database, visitId, asker(viewer, now, country));
  if (question === undefined) return 'NOT_FOUND';
  const decision = decide(question.link, question.facts);
  return decision.ok ? 'OK' : decision.reason;
}
const change = (table: 'magic_links' | 'users' | 'albums' | 'link_viewers' | 'viewers', id: string, values: object) =>
  asSystem(({ db }) => db.updateTable(table).set(values).where('id', '=', id).execute());

describe('the live facts', () => {
  it('are nothing for an unknown address, and those of a stranger without a cookie', async () => {
    const link = await make();
    expect(
      await findFactsBySlug(app.engines.database, 'no-such-slug-0', asker(undefined, at(0), 'DE')),
    ).toBeUndefined();
    const question = await findFactsBySlug(app.engines.database, link.slug, asker(undefined, at(0), 'DE'));
    expect(question).toMatchObject({
      linkId: link.id,
      creatorId: mia.userId,
      policyVersion: 1,
      viewer: undefined,
      grantId: undefined,
      visit: undefined,
      password: undefined,
      link: { albumIds: [album], policy: link.policy },
      facts: { country: 'DE', isKnownViewer: false, viewersKnown: 0, passed: { age: false, password: false } },
    });
    expect(question?.host.name).toMatch(/^Person /);
  });
  it('are read by one statement without a transaction', async () => {
    const link = await make();
    const before = app.engines.database.statementCount();
    await opening(link, await addViewer(app));
    // The viewer's own rows took the others: begin, two inserts, commit.
    expect(app.engines.database.statementCount() - before).toBeLessThanOrEqual(6);
    const alone = app.engines.database.statementCount();
    await opening(link, undefined);
    expect(app.engines.database.statementCount() - alone).toBe(1);
  });
  it('know a viewer by the secret of the browser, and a visit only from the browser that began it', async () => {
    const link = await make();
    const [bob, eve] = [await addViewer(app), await addViewer(app)];
    const { visitId, grantId } = await admitViewer(app, link, bob);
    const question = await findFactsOfVisit(app.engines.database, visitId, asker(bob, at(0), undefined));
    expect(question).toMatchObject({ grantId, viewer: bob && { viewerId: bob.viewerId, deviceId: bob.deviceId } });
    expect(await renewing(visitId, bob)).toBe('OK');
    expect(await renewing(visitId, eve)).toBe('NOT_FOUND');
    expect(await findFactsOfVisit(app.engines.database, visitId, asker(undefined, at(0), undefined))).toBeUndefined();
  });
  it('remember "18 or older" for 30 days', async () => {
    const link = await make();
    expect(await opening(link, await addViewer(app, { age: null }))).toBe('NEED_AGE');
    expect(await opening(link, await addViewer(app, { age: at(-30 * 24 * hour + 1) }))).toBe('OK');
    expect(await opening(link, await addViewer(app, { age: at(-30 * 24 * hour) }))).toBe('NEED_AGE');
  });
  it('take a password as passed only in its present version', async () => {
    const link = await make({ password: 'sea glass' });
    const bob = await addViewer(app);
    expect(await opening(link, bob)).toBe('NEED_PASSWORD');
    await asSystem(({ db }) =>
      db
        .insertInto('gate_passes')
        .values({ link_id: link.id, viewer_id: bob.viewerId, gate: 'password', rule_version: 1, at: at(0) })
        .execute(),
    );
    expect(await opening(link, bob)).toBe('OK');
    await call('update', { linkId: link.id, password: 'other words' });
    expect(await opening(link, bob)).toBe('NEED_PASSWORD');
  });
  it('count a visit that goes on as the same one, and a gap of 10 minutes as the next', async () => {
    const link = await make({ rules: { maxVisits: 1 } });
    const bob = await addViewer(app);
    await admitViewer(app, link, bob);
    expect(await opening(link, bob, at(10 * 60_000 - 1))).toBe('OK');
    expect(await opening(link, bob, at(10 * 60_000))).toBe('VISITS_USED');
  });
  it('count other screens that are alive, not the asking one', async () => {
    const link = await make({ rules: { maxConcurrent: 1 } });
    const phone = await addViewer(app);
    const tablet = await addViewer(app, { viewerId: phone.viewerId });
    const { visitId, grantId } = await admitViewer(app, link, phone);
    expect(await renewing(visitId, phone, at(39_999))).toBe('OK');
    expect(await opening(link, tablet, at(39_999))).toBe('CONCURRENT');
    expect(await opening(link, tablet, at(40_000))).toBe('OK');
    await admitViewer(app, link, tablet, { grantId, beat: at(50_000) });
    expect(await renewing(visitId, phone, at(55_000))).toBe('CONCURRENT');
  });
  it("close when the creator's plan lapses, her account stops or goes, an album closes or is taken down", async () => {
    const link = await make();
    const bob = await addViewer(app);
    const { visitId, grantId } = await admitViewer(app, link, bob);
    const reported = async (table: Parameters<typeof change>[0], id: string, wrong: object, right: object) => {
      await change(table, id, wrong);
      const answers = [await opening(link, bob), await renewing(visitId, bob)];
      await change(table, id, right);
      expect(answers[0]).toBe(answers[1]);
      return answers[0];
    };
    expect(await reported('users', mia.userId, { trial_ends_at: at(0) }, { trial_ends_at: at(7 * 24 * hour) })).toBe(
      'CREATOR_PAUSED',
    );
    expect(await reported('users', mia.userId, { status: 'suspended' }, { status: 'active' })).toBe('CREATOR_PAUSED');
    expect(await reported('users', mia.userId, { status: 'deleting' }, { status: 'active' })).toBe('REVOKED');
    expect(await reported('albums', album, { state: 'archived' }, { state: 'ready' })).toBe('ALBUM_UNAVAILABLE');
    expect(await reported('albums', album, { taken_down_at: at(0) }, { taken_down_at: null })).toBe('TAKEN_DOWN');
    expect(await reported('magic_links', link.id, { taken_down_at: at(0) }, { taken_down_at: null })).toBe(
      'TAKEN_DOWN',
    );
    expect(await reported('link_viewers', grantId, { blocked_at: at(0) }, { blocked_at: null })).toBe('VIEWER_BLOCKED');
    expect(await reported('viewers', bob.viewerId, { blocked_globally_at: at(0) }, { blocked_globally_at: null })).toBe(
      'VIEWER_BLOCKED',
    );
    await asSystem(({ db }) =>
      db
        .insertInto('viewer_blocks')
        .values({ creator_id: mia.userId, viewer_id: bob.viewerId, at: at(0) })
        .execute(),
    );
    expect(await opening(link, bob)).toBe('VIEWER_BLOCKED');
    await asSystem(({ db }) => db.deleteFrom('viewer_blocks').where('viewer_id', '=', bob.viewerId).execute());
    expect(await opening(link, bob)).toBe('OK');
  });
});

describe('the time from the first look', () => {
  it('runs from when somebody was let in, whatever their browser tells of looks', async () => {
    const link = await make({ rules: { ageGate: false, openForMs: hour } });
    const bob = await addViewer(app);
    const { visitId, grantId } = await admitViewer(app, link, bob);
    for (const lookedAt of [null, at(hour - 1000)]) {
      await change('link_viewers', grantId, { first_view_at: lookedAt });
      expect([await opening(link, bob, at(hour - 1)), await opening(link, bob, at(hour))]).toEqual(['OK', 'TIMED_OUT']);
      expect(await renewing(visitId, bob, at(hour))).toBe('TIMED_OUT');
    }
  });
});

describe('a changed rule bites on the next open and the next renewal (immich#25497)', () => {
  /** For every rule of a policy: a change that must be felt, and by whom. */
  const bites: Record<
    keyof Policy,
    { rules?: Partial<Policy>; open?: string; renew?: string; shown?: unknown; more?: object }
  > = {
    notBefore: { rules: { notBefore: at(hour).toISOString() }, open: 'NOT_YET', renew: 'NOT_YET' },
    openForMs: { rules: { openForMs: 60_000 }, open: 'TIMED_OUT', renew: 'TIMED_OUT' },
    viewBudgetMs: { rules: { viewBudgetMs: 60_000 }, open: 'TIME_USED', renew: 'TIME_USED' },
    maxVisits: { rules: { maxVisits: 1 }, open: 'VISITS_USED', renew: 'OK' },
    maxViewers: { rules: { maxViewers: 1 }, open: 'VIEWERS_FULL', renew: 'OK' },
    bindFirstViewer: { rules: { bindFirstViewer: true }, open: 'VIEWERS_FULL', renew: 'OK' },
    maxConcurrent: { rules: { maxConcurrent: 1 }, open: 'CONCURRENT', renew: 'OK' },
    ageGate: { rules: { ageGate: true }, open: 'NEED_AGE', renew: 'NEED_AGE' },
    password: { more: { password: 'sea glass' }, open: 'NEED_PASSWORD', renew: 'NEED_PASSWORD' },
    geo: {
      rules: { geo: { mode: 'block', countries: ['DE'], whenUnknown: 'allow' } },
      open: 'GEO_BLOCKED',
      renew: 'GEO_BLOCKED',
    },
    // Not to be offered yet: written as a later version will write them.
    email: { rules: { email: { verify: true, allow: [] } }, open: 'NEED_EMAIL', renew: 'NEED_EMAIL' },
    agreementId: {
      rules: { agreementId: '0199a5c0-0000-7000-8000-000000000001' },
      open: 'NEED_AGREEMENT',
      renew: 'NEED_AGREEMENT',
    },
    offers: {
      rules: { offers: [{ id: 'a', all: [{ kind: 'approval' }] }] },
      open: 'NEED_APPROVAL',
      renew: 'NEED_APPROVAL',
    },
    // Decide nothing; the answer to open carries them.
    mark: { rules: { mark: 'off' }, open: 'OK', renew: 'OK', shown: 'off' },
    blurWhenUnfocused: { rules: { blurWhenUnfocused: false }, open: 'OK', renew: 'OK', shown: false },
    recipientInMark: { rules: { recipientInMark: true }, open: 'OK', renew: 'OK', shown: true },
    holdToView: { rules: { holdToView: true }, open: 'OK', renew: 'OK', shown: true },
    desktopAllowed: { rules: { desktopAllowed: false }, open: 'NEED_PHONE', renew: 'NEED_PHONE' },
    autoResponse: {
      rules: { autoResponse: { do: 'close', threshold: 3 } },
      open: 'OK',
      renew: 'OK',
      shown: { do: 'close', threshold: 3 },
    },
  };
  const laterOn = new Set(['email', 'agreementId', 'offers']);

  it('is told for every field there is', () => {
    expect(Object.keys(bites).sort()).toEqual(Object.keys(Policy.shape).sort());
  });
  for (const [field, { rules, open, renew, shown, more }] of Object.entries(bites))
    it(`${field}: an open is told ${open}, an open screen ${renew}`, async () => {
      const before = { ageGate: false };
      const link = await make({ rules: before });
      const bob = await addViewer(app, { age: null });
      const { visitId, grantId } = await admitViewer(app, link, bob, { beat: at(100_000) });
      await change('link_viewers', grantId, { watched_ms: 60_000 });
      // Who opens: another person, Bob's second screen, or Bob himself.
      const isNewPerson = ['maxViewers', 'bindFirstViewer'].includes(field);
      const isSecondScreen = ['maxConcurrent', 'maxVisits'].includes(field);
      const opener = isNewPerson
        ? await addViewer(app, { age: null })
        : isSecondScreen
          ? await addViewer(app, { viewerId: bob.viewerId })
          : bob;
      const now = at(110_000);
      expect([await opening(link, opener, now, 'DE'), await renewing(visitId, bob, now, 'DE')]).toEqual(['OK', 'OK']);
      if (laterOn.has(field)) {
        const policy = JSON.stringify(Policy.parse({ ...before, ...rules }));
        await change('magic_links', link.id, { policy, policy_version: 2 });
      } else await call('update', { linkId: link.id, ...(rules && { rules: { ...before, ...rules } }), ...more });
      expect([await opening(link, opener, now, 'DE'), await renewing(visitId, bob, now, 'DE')]).toEqual([open, renew]);
      if (shown === undefined) return;
      const question = await findFactsOfVisit(app.engines.database, visitId, asker(bob, now, 'DE'));
      expect(question?.link.policy[field as keyof Policy]).toEqual(shown);
    });
  it('revoke and expiry: at once, and back with the undo', async () => {
    const link = await make({ rules: { ageGate: false } });
    const bob = await addViewer(app);
    const { visitId } = await admitViewer(app, link, bob);
    await call('revoke', { linkIds: [link.id] });
    expect([await opening(link, bob), await renewing(visitId, bob)]).toEqual(['REVOKED', 'REVOKED']);
    await call('undoRevoke', { linkIds: [link.id] });
    expect([await opening(link, bob), await renewing(visitId, bob)]).toEqual(['OK', 'OK']);
    await call('update', { linkId: link.id, expiry: { kind: 'after', hours: 1 } });
    expect([await opening(link, bob, at(hour - 1)), await renewing(visitId, bob, at(hour))]).toEqual(['OK', 'EXPIRED']);
  });
});
