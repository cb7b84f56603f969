import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { must, readRows, signUpCreator } from '#tests/support/people.ts';
import { type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import type { TimelineEntry } from './contract.ts';

let app: TestApp;
let shared: SharedAlbum;
const noon = '2026-11-21T12:00:00Z';
const minute = 60_000;

beforeAll(async () => {
  app = await openTestApp({ now: noon });
  shared = await shareAlbum(app, { count: 1 });
});
afterAll(() => app.close());

const at = (minutes: number) => app.setNow(new Date(Date.parse(noon) + minutes * minute).toISOString());
const read = async (linkId: string, input: object = {}) =>
  must(app, 'insights.timeline', { linkId, ...input }, shared.creator.browser);
const kindsOf = ({ entries }: { entries: TimelineEntry[] }) =>
  entries.map(({ what }) => (what.kind === 'act' ? what.act : what.kind));
const asCreator = (procedure: string, input: object) => must(app, procedure, input, shared.creator.browser);

describe('the timeline of a link', () => {
  it('is one list, newest first: visits, rules, revocations, and whom it kept out', async () => {
    at(0);
    const { id, slug } = await shared.makeLink({}, { password: 'sea glass' });
    at(1);
    await asCreator('links.markShared', { linkId: id });
    at(2);
    const guesser = newBrowser();
    for (const password of ['sea', 'glass', 'see glas']) await shared.viewerApi.tap(slug, { password }, guesser);
    at(3);
    expect((await shared.viewerApi.tap(slug, { password: 'sea glass' })).head?.visitId).toBeDefined();
    at(4);
    await asCreator('links.update', { linkId: id, rules: { ageGate: false, maxVisits: 3 } });
    at(5);
    await asCreator('links.revoke', { linkIds: [id] });
    at(6);
    await asCreator('links.undoRevoke', { linkIds: [id] });
    at(7);
    await asCreator('links.revoke', { linkIds: [id] });
    const reported = await read(id);
    expect(kindsOf(reported)).toEqual([
      'revoked',
      'revived',
      'revoked',
      'version',
      'visit',
      'wrong_password',
      'shared',
      'version',
    ]);
    expect(reported.nextCursor).toBeNull();
    expect(reported.entries[5]).toMatchObject({ at: '2026-11-21T12:02:00.000Z', what: { times: 3 } });
    expect(reported.entries[4].what.visit).toMatchObject({ linkId: id, itemsSeen: expect.any(Number) });
    expect(reported.entries[3].what.version).toMatchObject({ version: 2, by: 'creator' });
  });
  it('goes on where a page ended, and misses nothing of one moment', async () => {
    at(10);
    const { id, slug } = await shared.makeLink();
    for (let n = 0; n < 3; n++) await shared.viewerApi.tap(slug, {}, newBrowser());
    await asCreator('links.markShared', { linkId: id });
    const whole = await read(id);
    expect(whole.entries).toHaveLength(5);
    const pages: string[] = [];
    let cursor: string | null | undefined;
    do {
      const page = await read(id, { limit: 2, ...(cursor && { cursor }) });
      pages.push(...page.entries.map((entry: TimelineEntry) => entry.id));
      cursor = page.nextCursor;
    } while (cursor);
    expect(pages).toEqual(whole.entries.map((entry: TimelineEntry) => entry.id));
  });
  it('tells wrong codes of a day together, and no more of them than a thousand', async () => {
    at(20);
    const { id, slug } = await shared.makeLink();
    for (let n = 0; n < 3; n++) {
      at(20 + n);
      await shared.viewerApi.tap(slug, { resumeCode: `ABCDEFGH2${n + 2}` }, newBrowser());
    }
    const [newest] = (await read(id)).entries;
    expect(newest).toMatchObject({ at: '2026-11-21T12:22:00.000Z', what: { kind: 'wrong_code', times: 3 } });
    await readRows(app, 'update wrong_codes set tries = 1000 where link_id = $1', [id]);
    await shared.viewerApi.tap(slug, { resumeCode: 'ABCDEFGH29' }, newBrowser());
    expect((await read(id)).entries[0].what.times).toBe(1000);
  });
  it("says what was paid without saying who paid, and nothing of another realm's money", async () => {
    at(30);
    const { id } = await shared.makeLink();
    const insert = (livemode: boolean, cents: number) =>
      readRows(
        app,
        `insert into checkout_orders (id, provider, livemode, kind, state, creator_id, link_id, acct_id, amount_cents, fee_cents,
          refunded_cents, currency, expires_at, paid_at, created_at, signed_by)
         values (gen_random_uuid(), $1, $2, 'tip', 'partially_refunded', $3, $4, 'acct', $5, 0, 100, 'usd', $6, $6, $6, 'Bob')`,
        [app.engines.payments.realm.provider, livemode, shared.creator.userId, id, cents, new Date(noon)],
      );
    const { livemode } = app.engines.payments.realm;
    await insert(livemode, 1500);
    await insert(!livemode, 9900);
    const reported = await read(id);
    expect(kindsOf(reported)).toEqual(['version', 'money']);
    expect(reported.entries[1].what).toEqual({
      kind: 'money',
      sold: 'tip',
      amountCents: 1500,
      refundedCents: 100,
      currency: 'usd',
      isDisputed: false,
    });
  });
  it("is nothing to another creator, and holds nothing of another link's", async () => {
    at(40);
    const { id } = await shared.makeLink();
    const eve = await signUpCreator(app);
    expect((await app.call('insights.timeline', { linkId: id }, eve.browser)).status).toBe(404);
    expect(kindsOf(await read(id))).toEqual(['version']);
  });
});
