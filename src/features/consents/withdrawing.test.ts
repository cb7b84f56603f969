import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { settleOpen } from '#features/money/reconcile.ts';
import { refundOwed } from '#features/returns/refunding.ts';
import { connectPayouts, payAt, payToOpen, post, sessionOf, tapDoor, tapPay } from '#tests/support/money/selling.ts';
import {
  advance,
  listTemplates,
  makeAdministrator,
  must,
  readEmail,
  readRows,
  signInQuickly,
  signUpCreator,
} from '#tests/support/people.ts';
import { consent, newAddress, openShownAlbum } from '#tests/support/shown-album.ts';
import { newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { runConsents } from './commands.ts';

let app: TestApp;
let shown: Awaited<ReturnType<typeof openShownAlbum>>;
const day = 86_400_000;
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  app.engines.sandbox?.deliverTo(undefined);
});
afterAll(() => app.close());
beforeEach(async () => {
  shown = await openShownAlbum(app);
});

describe('a withdrawal', () => {
  /** An album whose one person has agreed, an open screen, and then not any more. */
  async function withdrawn() {
    const { shared, ask, look, lease } = shown;
    const { slug } = await shared.makeLink();
    const person = await ask();
    await must(app, 'consents.give', { token: person.token, ...consent }, newBrowser());
    const open = await look(slug);
    expect((await lease(open.visitId, open.browser)).pictures).toHaveLength(1);
    await must(app, 'consents.withdraw', { token: person.token }, newBrowser());
    return { ...person, slug, open };
  }

  it('locks the album at once: the next request of anybody gets nothing, and its creator is told', async () => {
    const { mia, call, lease, reasonAt, albumOf } = shown;
    const { open, slug, email, token } = await withdrawn();
    const next = await lease(open.visitId, open.browser);
    expect([next.refusal?.reason, next.pictures]).toEqual(['TAKEN_DOWN', []]);
    expect(await reasonAt(slug)).toBe('TAKEN_DOWN');
    expect((await albumOf()).state).toBe('locked');
    expect(await listTemplates(app, mia.email)).toContain('consent_locked');
    expect(await listTemplates(app, email)).toContain('consent_withdrawn');
    expect((await call('give', { token, ...consent })).status, 'it is final').toBe(409);
    expect((await call('withdraw', { token })).body.state, 'twice is once').toBe('withdrawn');
  });

  it('is not undone by its creator: neither by taking the person off, nor by restoring the album, nor by saying otherwise', async () => {
    const { shared, mia, call, reasonAt, albumOf } = shown;
    const { id, slug } = await withdrawn();
    expect((await call('remove', { coPerformerId: id }, mia.browser)).status).toBe(409);
    const { albumId } = shared;
    expect((await call('say', { albumId, peopleConsent: 'only_me' }, mia.browser)).status).toBe(409);
    expect((await app.call('albums.unarchive', { albumId }, mia.browser)).status).toBe(409);
    await must(app, 'albums.remove', { albumId }, mia.browser);
    await must(app, 'albums.restore', { albumId }, mia.browser);
    expect((await albumOf()).state).toBe('locked');
    expect(await reasonAt(slug)).toBe('TAKEN_DOWN');
  });

  it('of an album that is being deleted comes back with it', async () => {
    const { shared, mia, ask, albumOf } = shown;
    const { token } = await ask();
    await must(app, 'consents.give', { token, ...consent }, newBrowser());
    await must(app, 'albums.remove', { albumId: shared.albumId }, mia.browser);
    await must(app, 'consents.withdraw', { token }, newBrowser());
    await must(app, 'albums.restore', { albumId: shared.albumId }, mia.browser);
    expect((await albumOf()).state).toBe('locked');
  });

  it('and every other step that is tapped twice at once is one, with one email', async () => {
    const { shared, mia, ask, call } = shown;
    const twice = async (run: () => Promise<{ status: number }>) =>
      (await Promise.all([run(), run()])).map(({ status }) => status).toSorted();
    const email = newAddress();
    const name = 'L'.repeat(80);
    expect(await twice(() => call('add', { albumId: shared.albumId, name, email }, mia.browser))).toEqual([200, 429]);
    const { token } = await readEmail(app, email);
    expect(await twice(() => call('give', { token, ...consent, typedName: name }))).toEqual([200, 200]);
    expect(await twice(() => call('withdraw', { token }))).toEqual([200, 200]);
    expect((await listTemplates(app, email)).toSorted()).toEqual([
      'consent_given',
      'consent_requested',
      'consent_withdrawn',
    ]);
    const { token: asked } = await ask();
    const both = await Promise.all([
      call('give', { token: asked, ...consent }),
      call('refuse', { token: asked, isNotMe: false }),
    ]);
    expect(both.map(({ status }) => status).toSorted(), 'a yes and a no: one of them').toEqual([200, 409]);
  });

  it('is looked at once the creator says that the pictures are gone, and the operator opens the album or keeps it', async () => {
    const { shared, mia, reasonAt, albumOf } = shown;
    const { id, slug } = await withdrawn();
    const order = { id, reason: 'Two pictures are out.' };
    await expect(runConsents(app.engines, { verb: 'open', ...order }), 'nobody has said so').rejects.toThrow(
      'Nothing waits',
    );
    await must(
      app,
      'albums.removeItems',
      { albumId: shared.albumId, mediaIds: [shared.photos[0]?.mediaId] },
      mia.browser,
    );
    await must(app, 'consents.sayPicturesGone', { coPerformerId: id }, mia.browser);
    expect(await runConsents(app.engines, { verb: undefined, id: undefined, reason: undefined })).toContain(id);
    await runConsents(app.engines, { verb: 'keep', ...order });
    expect(await reasonAt(slug)).toBe('TAKEN_DOWN');
    await must(app, 'consents.sayPicturesGone', { coPerformerId: id }, mia.browser);
    await runConsents(app.engines, { verb: 'open', ...order });
    expect((await albumOf()).state).toBe('ready');
    expect(await listTemplates(app, mia.email)).toEqual(expect.arrayContaining(['consent_kept', 'consent_settled']));
    await must(app, 'consents.say', { albumId: shared.albumId, peopleConsent: 'only_me' }, mia.browser);
    expect(await reasonAt(slug)).toBeUndefined();
  });

  it('of two people is lifted when both were looked at', async () => {
    const { mia, ask, albumOf } = shown;
    const [one, two] = [await ask(), await ask()];
    for (const { token } of [one, two]) await must(app, 'consents.give', { token, ...consent }, newBrowser());
    for (const { token } of [one, two]) await must(app, 'consents.withdraw', { token }, newBrowser());
    const open = async (id: string) => {
      await must(app, 'consents.sayPicturesGone', { coPerformerId: id }, mia.browser);
      await runConsents(app.engines, { verb: 'open', id, reason: 'Looked at.' });
      return (await albumOf()).state;
    };
    expect([await open(one.id), await open(two.id)]).toEqual(['locked', 'ready']);
  });

  it('is decided at the desk by a moderator, whose words reach the creator, and by one of two', async () => {
    const { shared, mia, ask, albumOf } = shown;
    const admin = await signUpCreator(app);
    await makeAdministrator(app, admin, ['moderation']);
    const desk = await signInQuickly(app, admin.userId);
    const [one, two] = [await ask(), await ask()];
    for (const { token } of [one, two]) await must(app, 'consents.give', { token, ...consent }, newBrowser());
    for (const { token } of [one, two]) await must(app, 'consents.withdraw', { token }, newBrowser());
    for (const { id } of [one, two]) await must(app, 'consents.sayPicturesGone', { coPerformerId: id }, mia.browser);
    const waits = async () =>
      (await must(app, 'adminConsents.waiting', {}, desk)).albums
        .filter(({ albumId }: { albumId: string }) => albumId === shared.albumId)
        .map(({ personId }: { personId: string }) => personId)
        .toSorted();
    expect(await waits()).toEqual([one.id, two.id].toSorted());
    const decide = (personId: string, isOpen: boolean) =>
      app.call('adminConsents.decide', { personId, isOpen, reason: 'Looked at.' }, desk);
    expect((await decide(one.id, true)).body, 'somebody else has withdrawn').toEqual({ isOpen: false });
    expect(await listTemplates(app, mia.email)).toContain('consent_settled');
    expect(await listTemplates(app, mia.email)).not.toContain('consent_opened');
    await must(app, 'adminConsents.decide', { personId: two.id, isOpen: false, reason: 'One is left.' }, desk);
    expect(await waits(), 'kept until the creator says so again').toEqual([]);
    await must(app, 'consents.sayPicturesGone', { coPerformerId: two.id }, mia.browser);
    const both = await Promise.all([decide(two.id, true), decide(two.id, true)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 404]);
    expect((await albumOf()).state).toBe('ready');
    expect(
      await readRows(
        app,
        `select action, actor_id from audit_log where target_id = $1 and action like 'consent.album%' order by id`,
        [shared.albumId],
      ),
    ).toEqual(
      ['opened', 'kept', 'opened'].map((what) => ({ action: `consent.album_${what}`, actor_id: admin.userId })),
    );
  });

  it('pays back what was bought in the 90 days before, and ends what is being paid', async () => {
    const { shared, mia, ask } = shown;
    await connectPayouts(app, mia);
    const person = await ask();
    await must(app, 'consents.give', { token: person.token, ...consent }, newBrowser());
    const { slug } = await shared.makeLink(payToOpen(1000));
    const buyer = newBrowser();
    await tapDoor(app, slug, buyer);
    await payAt(app, sessionOf((await tapPay(app, slug, buyer, 1000, { offerId: 'pay' })).body.url));
    await settleOpen(app.engines, 0);
    await post(app, `/api/view/${slug}/open`, {}, buyer);
    // Long after a creator's own end would be paid back.
    advance(app, 8 * day);
    const other = newBrowser();
    await tapDoor(app, slug, other);
    await tapPay(app, slug, other, 1000, { offerId: 'pay' });
    const late = newBrowser();
    await tapDoor(app, slug, late);
    const lateSession = sessionOf((await tapPay(app, slug, late, 1000, { offerId: 'pay' })).body.url);
    await must(app, 'consents.withdraw', { token: person.token }, newBrowser());
    // Who stood at the provider's page just then pays all the same.
    await payAt(app, lateSession);
    await settleOpen(app.engines, 0);
    await refundOwed(app.engines);
    const rows = await readRows(
      app,
      'select state, ended_why as why from checkout_orders where creator_id = $1 order by state desc, ended_why nulls first',
      [mia.userId],
    );
    expect(rows).toEqual([
      { state: 'refunded', why: null },
      { state: 'refunded', why: 'taken_down' },
      { state: 'expired', why: 'taken_down' },
    ]);
    expect((await post(app, `/api/view/${slug}/open`, {}, late)).body.reason).toBe('TAKEN_DOWN');
    expect(
      await readRows(app, 'select reason, note from refunds where creator_id = $1 order by created_at', [mia.userId]),
    ).toEqual([
      { reason: 'platform_decision', note: 'What was paid for was taken down.' },
      { reason: 'access_revoked', note: '' },
    ]);
  });
});
