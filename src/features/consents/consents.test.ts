import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { advance, listTemplates, must, readEmail, readRow, readRows, signUpCreator } from '#tests/support/people.ts';
import { addReadyAlbum } from '#tests/support/ready-album.ts';
import { consent, newAddress, openShownAlbum } from '#tests/support/shown-album.ts';
import { newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { forgetProofs } from './jobs.ts';

let app: TestApp;
let shown: Awaited<ReturnType<typeof openShownAlbum>>;
const day = 86_400_000;
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
});
afterAll(() => app.close());
beforeEach(async () => {
  shown = await openShownAlbum(app);
});

describe('a new album', () => {
  it('is asked who is shown before its first link, and says so once', async () => {
    const { mia, albumOf } = shown;
    const albumId = await addReadyAlbum(app, mia.userId);
    await readRows(app, 'update albums set people_consent = null, people_said_at = null where id = $1', [albumId]);
    const refused = await app.call('links.create', { albumIds: [albumId] }, mia.browser);
    expect([refused.body.code, refused.body.data.reason]).toEqual(['CONSENT_MISSING', 'unsaid']);
    const many = await app.call('links.createMany', { albumIds: [albumId], names: ['Bob'] }, mia.browser);
    expect(many.body.code).toBe('CONSENT_MISSING');
    await must(app, 'consents.say', { albumId, peopleConsent: 'only_me' }, mia.browser);
    expect((await albumOf(albumId)).peopleConsent).toBe('only_me');
    expect((await app.call('links.create', { albumIds: [albumId] }, mia.browser)).status).toBe(200);
  });

  it('of before was made as its creator’s alone: it goes on, and is asked', async () => {
    const { shared, reasonAt, albumOf } = shown;
    await readRows(app, 'update albums set people_said_at = null where id = $1', [shared.albumId]);
    expect((await albumOf()).peopleConsent).toBeNull();
    const { slug } = await shared.makeLink();
    expect(await reasonAt(slug)).toBeUndefined();
  });
});

describe('somebody who is shown', () => {
  it('is asked by mail: until everybody has agreed nobody sees the album', async () => {
    const { shared, mia, ask, look, lease, reasonAt } = shown;
    const { slug } = await shared.makeLink();
    const open = await look(slug);
    const [one, two] = [await ask(), await ask()];
    expect(await reasonAt(slug)).toBe('ALBUM_UNAVAILABLE');
    expect((await lease(open.visitId, open.browser)).refusal?.reason).toBe('ALBUM_UNAVAILABLE');
    const refused = await app.call('links.create', { albumIds: [shared.albumId] }, mia.browser);
    expect([refused.body.code, refused.body.data.reason]).toEqual(['CONSENT_MISSING', 'missing']);
    await must(app, 'consents.give', { token: one.token, ...consent }, newBrowser());
    expect(await reasonAt(slug), 'one has not answered').toBe('ALBUM_UNAVAILABLE');
    await must(app, 'consents.give', { token: two.token, ...consent }, newBrowser());
    expect(await reasonAt(slug)).toBeUndefined();
    expect(
      (await must(app, 'consents.list', { albumId: shared.albumId }, mia.browser)).people.map(
        ({ state }: { state: string }) => state,
      ),
    ).toEqual(['given', 'given']);
    expect(await listTemplates(app, one.email)).toContain('consent_given');
    expect(await listTemplates(app, mia.email)).toContain('consent_yes');
  });

  it('reads who asks and for what; neither the mail nor the row tells more than that, nor the secret', async () => {
    const { shared, ask } = shown;
    await readRows(app, "update albums set name = 'By the sea' where id = $1", [shared.albumId]);
    const { token, email, id } = await ask();
    const seen = await must(app, 'consents.look', { token }, newBrowser());
    expect(seen).toMatchObject({
      name: 'Lena',
      album: { name: 'By the sea', photoCount: 2, videoCount: 0 },
      state: 'requested',
    });
    expect(seen.words).toContain('By the sea');
    const { text } = await readEmail(app, email);
    expect(text).not.toMatch(/By the sea|Lena/);
    const row = await readRow(app, 'select * from co_performers where id = $1', [id]);
    expect(JSON.stringify(row)).not.toContain(token);
  });

  it('types a name and is 18, and what was agreed to is kept with its moment and version', async () => {
    const { call, ask } = shown;
    const { token, id } = await ask();
    for (const missing of [{ typedName: ' ' }, { isAdult: false }, { agrees: false }])
      expect((await call('give', { token, ...consent, ...missing })).status).toBe(422);
    await must(app, 'consents.give', { token, ...consent }, newBrowser());
    const row = await readRow(
      app,
      `select typed_name as name, agreed_version as version, agreed_items as items, given_at = at as "isNow", agreed_words as words
      from co_performers where id = $1`,
      [id],
    );
    expect(row).toMatchObject({ name: 'Lena Berg', version: '2026-11', items: 2, isNow: true });
    expect(row.words).toContain('18 or older');
  });

  it('says no for good; “not me” also keeps this creator from asking again, and no other', async () => {
    const { shared, mia, call, ask, reasonAt } = shown;
    const { slug } = await shared.makeLink();
    const { token, email, id } = await ask();
    await must(app, 'consents.refuse', { token, isNotMe: true }, newBrowser());
    expect(await reasonAt(slug)).toBe('ALBUM_UNAVAILABLE');
    expect((await call('give', { token, ...consent })).status).toBe(409);
    await must(app, 'consents.remove', { coPerformerId: id }, mia.browser);
    advance(app, day);
    const [name, domain] = email.split('@');
    for (const written of [email, `${name}+again@${domain}`]) {
      const again = await call('add', { albumId: shared.albumId, name: 'Lena', email: written }, mia.browser);
      expect([again.status, again.body.data.field]).toEqual([422, 'email']);
    }
    const bea = await signUpCreator(app);
    const albumId = await addReadyAlbum(app, bea.userId);
    expect((await call('add', { albumId, name: 'Lena', email }, bea.browser)).status).toBe(200);
  });

  it('is taken off by the creator: the proof stays without the address, and their link is over', async () => {
    const { shared, mia, call, ask, reasonAt } = shown;
    const { slug } = await shared.makeLink();
    const { token, id, email } = await ask();
    await must(app, 'consents.give', { token, ...consent }, newBrowser());
    // Emails of one instant have no order.
    advance(app, 1000);
    await must(app, 'consents.remove', { coPerformerId: id }, mia.browser);
    expect((await readEmail(app, email)).template, 'they learn it').toBe('consent_ended');
    expect(await reasonAt(slug), 'others are shown, and nobody is named').toBe('ALBUM_UNAVAILABLE');
    await must(app, 'consents.say', { albumId: shared.albumId, peopleConsent: 'only_me' }, mia.browser);
    expect(await reasonAt(slug)).toBeUndefined();
    expect((await must(app, 'consents.look', { token }, newBrowser())).isOver).toBe(true);
    expect((await call('withdraw', { token })).status).toBe(409);
    expect(await readRow(app, 'select email, typed_name as name from co_performers where id = $1', [id])).toEqual({
      email: null,
      name: 'Lena Berg',
    });
  });
});

describe('a request', () => {
  it('goes to no own address, twice to none, and the one before leads nowhere once it is sent again', async () => {
    const { shared, mia, call, ask } = shown;
    const own = await call('add', { albumId: shared.albumId, name: 'Me', email: mia.email }, mia.browser);
    expect(own.body.data.field).toBe('email');
    const { id, email, token } = await ask();
    advance(app, 60_000);
    expect((await call('add', { albumId: shared.albumId, name: 'Lena', email }, mia.browser)).status).toBe(422);
    advance(app, 60_000);
    await must(app, 'consents.resend', { coPerformerId: id }, mia.browser);
    expect((await call('look', { token })).status).toBe(410);
    const again = await readEmail(app, email);
    expect((await call('look', { token: again.token })).status).toBe(200);
  });

  it('is mailed to one address three times a day by one creator, and by one creator twenty times', async () => {
    const { mia, call, ask } = shown;
    const { id } = await ask();
    const resend = () => {
      advance(app, 60_000);
      return call('resend', { coPerformerId: id }, mia.browser);
    };
    expect([(await resend()).status, (await resend()).status, (await resend()).status]).toEqual([200, 200, 429]);
    const others: number[] = [];
    for (let n = 0; n < 18; n++) {
      const albumId = await addReadyAlbum(app, mia.userId);
      others.push((await call('add', { albumId, name: 'Lena', email: newAddress() }, mia.browser)).status);
    }
    expect(
      others.filter((status) => status === 200),
      'three were taken before',
    ).toHaveLength(17);
  });

  it('is nobody else’s: a guessed link gets nothing, another creator neither', async () => {
    const { shared, call, ask } = shown;
    const { id } = await ask();
    for (const procedure of ['look', 'withdraw'])
      expect((await call(procedure, { token: 'A'.repeat(43) })).status).toBe(410);
    const eve = await signUpCreator(app);
    for (const procedure of ['resend', 'remove', 'sayPicturesGone'])
      expect((await call(procedure, { coPerformerId: id }, eve.browser)).status).toBe(404);
    const list = await call('list', { albumId: shared.albumId }, eve.browser);
    expect(list.status).toBe(404);
  });
});

describe('the proof', () => {
  it('outlives its album by three years, without the address', async () => {
    const { shared, ask } = shown;
    const { token, id } = await ask();
    await must(app, 'consents.give', { token, ...consent }, newBrowser());
    await readRows(app, 'delete from albums where id = $1', [shared.albumId]);
    await forgetProofs(app.engines);
    const read = () => readRows(app, 'select email, typed_name as name from co_performers where id = $1', [id]);
    expect(await read()).toEqual([{ email: null, name: 'Lena Berg' }]);
    advance(app, 3 * 365 * day - day);
    await forgetProofs(app.engines);
    expect(await read()).toHaveLength(1);
    advance(app, 2 * day);
    await forgetProofs(app.engines);
    expect(await read()).toEqual([]);
  });
});
