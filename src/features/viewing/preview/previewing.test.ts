import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Reason } from '#features/access/contract.ts';
import { connectPayouts, payToOpen } from '#tests/support/money/selling.ts';
import { must, readRows, signUpCreator } from '#tests/support/people.ts';
import { type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { type Browser, newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { casesByReason } from './cases.ts';
import type { ViewerPreview } from './preview-contract.ts';

let app: TestApp;
let shared: SharedAlbum;
beforeAll(async () => {
  // Jobs come by the minute and write what they did: here rows are counted.
  app = await openTestApp({ workJobs: false });
  shared = await shareAlbum(app);
  await connectPayouts(app, shared.creator);
});
afterAll(() => app.close());

const hour = 3_600_000;
const in30Days = () => new Date(app.engines.clock() + 30 * 24 * hour).toISOString();
const previewOf = (linkId: string): Promise<ViewerPreview> =>
  must(app, 'previews.ofLink', { linkId }, shared.creator.browser);
const refusalIn = ({ states }: ViewerPreview, id: string) => states.find((state) => state.id === id)?.refusal;
const idsOf = ({ states }: ViewerPreview) => states.map(({ id }) => id);
const nextIn = ({ states }: ViewerPreview, id: string) => states.find((state) => state.id === id)?.next;

/** Every rule that shows something of its own, on two links: what is asked for excludes what is paid. */
const everyRule = () => ({
  ageGate: true,
  maxVisits: 3,
  maxViewers: 5,
  desktopAllowed: false,
  openForMs: 24 * hour,
  notBefore: new Date(app.engines.clock() - hour).toISOString(),
  email: { verify: true, allow: ['@example.com'] },
  geo: { mode: 'allow', countries: ['DE'], whenUnknown: 'allow' },
});

async function makeFullLinks() {
  const { id: agreementId } = await must(
    app,
    'agreements.save',
    { title: 'House rules', body: 'Keep it to yourself.' },
    shared.creator.browser,
  );
  const expiry = { kind: 'at', at: in30Days() };
  const asking = { offers: [{ id: 'ask', all: [{ kind: 'approval' }] }], agreementId };
  const secret = { expiry, password: 'three calm rivers' };
  return Promise.all([
    shared.makeLink({ ...everyRule(), ...asking }, secret),
    shared.makeLink({ ...everyRule(), ...payToOpen(1500), openForMs: undefined, viewBudgetMs: 600_000 }, secret),
  ]);
}

/** Rows of every table but those that any call of somebody signed in touches. */
async function countRows(): Promise<Record<string, number>> {
  const tables = await readRows<{ name: string }>(
    app,
    "select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace and has_table_privilege(oid, 'select')",
  );
  const counts: Record<string, number> = {};
  for (const { name } of tables) {
    const [row] = await readRows<{ n: number }>(app, `select count(*)::int as n from "${name}"`);
    counts[name] = row?.n ?? 0;
  }
  return counts;
}

/** The tables in which rows came or went, each with how many. */
const changesSince = async (before: Record<string, number>) =>
  Object.entries(await countRows())
    .map(([table, n]): [string, number] => [table, n - (before[table] ?? 0)])
    .filter(([, n]) => n !== 0);

// Comes first: what happens at a door is written a moment later, and nobody has been at one yet.
describe('a preview that is looked at', () => {
  it('counts nothing and writes nothing; its pictures are lent as everywhere in the studio', async () => {
    const links = await makeFullLinks();
    const { browser } = shared.creator;
    const first = shared.photos.map(({ mediaId }) => ({ mediaId, rendition: 'thumb512' }));
    await shared.viewerApi.preview(first, browser); // the grant of the creator is made with the first look at anything
    const before = await countRows();
    for (const { id } of links) await previewOf(id);
    await must(app, 'previews.ofAlbum', { albumId: shared.albumId }, browser);
    for (const { id } of links)
      expect((await shared.viewerApi.fetch(`/preview/links/${id}`, undefined, browser)).status).toBe(200);
    expect(await changesSince(before)).toEqual([]);
    await shared.viewerApi.preview(first, browser);
    expect((await changesSince(before)).map(([table]) => table)).toEqual(['key_leases']);
    const [lease] = await readRows(
      app,
      'select g.kind, k.session_id from key_leases k join grants g on g.id = k.grant_id order by k.issued_at desc, k.id desc limit 1',
    );
    expect(lease).toEqual({ kind: 'owner', session_id: null });
    const shown = await must(app, 'links.one', { linkId: links[0].id }, browser);
    expect([shown.viewsCount, shown.lastOpenedAt]).toEqual([0, null]);
  });
});

describe('what a viewer would see', () => {
  it('is every reason that there is, each by the decision itself', async () => {
    const previews = await Promise.all((await makeFullLinks()).map(({ id }) => previewOf(id)));
    const shown = new Set(previews.flatMap(idsOf));
    for (const reason of Reason.options) {
      expect(casesByReason[reason].length, reason).toBeGreaterThan(0);
      expect(
        casesByReason[reason].map(({ id }) => [id, shown.has(id) || id === 'OFFER_ASKED']),
        reason,
      ).toEqual(casesByReason[reason].map(({ id }) => [id, true]));
    }
    const [asked, sold] = previews as [ViewerPreview, ViewerPreview];
    expect(refusalIn(sold, 'NEED_OFFER')).toMatchObject({ title: '$15', sale: { isPayable: true } });
    expect(refusalIn(asked, 'NEED_AGREEMENT')?.agreement).toMatchObject({ title: 'House rules' });
    expect(refusalIn(asked, 'EXPIRED')?.text).toMatch(/^It ended on /);
    expect(refusalIn(asked, 'REVOKED')?.title).toBe('Access ended');
    expect(refusalIn(asked, 'REVOKED_FOR_STRANGER')).toEqual(refusalIn(asked, 'NOT_FOUND'));
    expect(refusalIn(asked, 'FULL_FOR_STRANGER')).toEqual(refusalIn(asked, 'NOT_FOUND'));
    expect(refusalIn(asked, 'VISITS_USED')?.title).toBe('You have used all 3 visits');
    expect(refusalIn(asked, 'TIMED_OUT')?.title).toBe('Your 24 hours have ended');
  });

  it('is only what its rules can show', async () => {
    const { id } = await shared.makeLink({}, { expiry: { kind: 'never' } });
    const preview = await previewOf(id);
    expect([preview.now, preview.first]).toEqual(['OPEN', 'OPEN']);
    expect(idsOf(preview).toSorted()).toEqual(
      [
        ...['OPEN', 'CONCURRENT', 'REVOKED', 'REVOKED_FOR_STRANGER', 'CREATOR_PAUSED', 'ALBUM_UNAVAILABLE'],
        ...['TAKEN_DOWN', 'VIEWER_BLOCKED', 'NOT_FOUND', 'CODE_WRONG'],
      ].toSorted(),
    );
  });

  it('says at each gate what the door says there, word for word', async () => {
    const gates: [string, object, object][] = [
      ['NEED_AGE', { ageGate: true }, {}],
      ['NEED_PASSWORD', {}, { password: 'three calm rivers' }],
      ['NEED_EMAIL', { email: { verify: true, allow: [] } }, {}],
      ['NEED_APPROVAL', { offers: [{ id: 'ask', all: [{ kind: 'approval' }] }] }, {}],
      ['NEED_OFFER', payToOpen(900), {}],
      ['GEO_BLOCKED', { geo: { mode: 'allow', countries: ['DE'], whenUnknown: 'deny' } }, {}],
    ];
    for (const [id, rules, more] of gates) {
      const link = await shared.makeLink(rules, { welcomeText: 'Just for you', ...more });
      const { refusal } = await shared.viewerApi.tap(link.slug, {}, newBrowser());
      const preview = await previewOf(link.id);
      expect(refusalIn(preview, id), id).toEqual(refusal);
      expect(preview.now, id).toBe(id);
    }
  });

  it('leads from gate to gate in the order of the door', async () => {
    const rules = { ageGate: true, email: { verify: true, allow: [] }, ...payToOpen(900) };
    const { id } = await shared.makeLink(rules, { password: 'three calm rivers' });
    const preview = await previewOf(id);
    expect(preview.first).toBe('NEED_AGE');
    expect(nextIn(preview, 'NEED_AGE')).toEqual({ isAdult: 'NEED_PASSWORD' });
    expect(nextIn(preview, 'NEED_PASSWORD')).toEqual({ password: 'NEED_EMAIL' });
    expect(nextIn(preview, 'NEED_EMAIL_CODE')?.emailCode).toBe('NEED_OFFER');
    expect(nextIn(preview, 'NEED_OFFER')?.pays).toBe('OPEN');
    for (const { id: at, next } of preview.states)
      for (const to of Object.values(next))
        if (at !== 'NEED_OFFER') expect(idsOf(preview), `${at} to ${to}`).toContain(to);
  });

  it('tells what somebody new would meet now, and shows the rest of a revoked link all the same', async () => {
    const { id } = await shared.makeLink({ ageGate: true });
    await must(app, 'links.revoke', { linkIds: [id] }, shared.creator.browser);
    const preview = await previewOf(id);
    expect([preview.now, preview.first]).toEqual(['REVOKED_FOR_STRANGER', 'NEED_AGE']);
  });

  it('lists the pictures of the album without a key or a lease, for a link and for an album', async () => {
    const { id } = await shared.makeLink();
    const { opened } = await previewOf(id);
    const ofAlbum: ViewerPreview = await must(
      app,
      'previews.ofAlbum',
      { albumId: shared.albumId },
      shared.creator.browser,
    );
    for (const each of [opened, ofAlbum.opened]) {
      expect(each.items.map(({ mediaId }) => mediaId)).toEqual(shared.photos.map(({ mediaId }) => mediaId));
      expect([each.leases, each.isPreview, each.resumeCode]).toEqual([[], true, undefined]);
    }
    expect([ofAlbum.first, nextIn(ofAlbum, 'NEED_AGE'), ofAlbum.slug]).toEqual([
      'NEED_AGE',
      { isAdult: 'OPEN' },
      undefined,
    ]);
  });
});

describe('a preview', () => {
  it('is there for nobody else: not for another creator, not for a stranger, not for whom it was sent', async () => {
    const { id, slug } = await shared.makeLink();
    const viewer = newBrowser();
    await shared.viewerApi.tap(slug, {}, viewer);
    const other = await signUpCreator(app);
    const statusOf = async (path: string, browser: Browser) =>
      (await shared.viewerApi.fetch(path, undefined, browser)).status;
    for (const [what, one] of [
      ['links', id],
      ['albums', shared.albumId],
    ]) {
      const paths = [`/preview/${what}/${one}`, `/api/v1/${what}/${one}/preview`] as const;
      for (const path of paths) expect(await statusOf(path, shared.creator.browser), path).toBe(200);
      for (const path of paths) expect(await statusOf(path, other.browser), path).toBe(404);
      for (const browser of [viewer, newBrowser()]) {
        expect(await statusOf(paths[0], browser)).toBe(404);
        expect(await statusOf(paths[1], browser)).toBe(401);
      }
    }
    for (const path of ['/preview/links/none', `/preview/albums/${id}`, `/preview/links/${shared.albumId}`])
      expect(await statusOf(path, shared.creator.browser), path).toBe(404);
  });
});
