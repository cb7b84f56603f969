import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { commitment, grantSeed } from '#features/media/formats/codeword.ts';
import { readPackHeader } from '#features/media/formats/pack.ts';
import { ensureTraceKey } from '#features/media/keys-store.ts';
import { readPicture } from '#tests/support/media/pictures.ts';
import { previewAgents } from '#tests/support/media/preview-agents.ts';
import { readRows, signUpCreator } from '#tests/support/people.ts';
import { countViewerRows, type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { type Browser, newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { bitsOf, deriveKey, openTile } from '#tests/support/viewer-api.ts';

let app: TestApp;
let shared: SharedAlbum;
beforeAll(async () => {
  app = await openTestApp();
  shared = await shareAlbum(app);
});
afterAll(() => app.close());

describe('the tap', () => {
  it('answers one stream: the list, then keys and pack of each picture of the first screen', async () => {
    const { slug } = await shared.makeLink({}, { linkName: 'For Bob', welcomeText: 'Hello' });
    const { status, headers, head, pictures } = await shared.viewerApi.tap(slug);
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(head).toMatchObject({ albumNames: ['Golden hour'], counts: { photos: 2, videos: 0 } });
    expect(head.items.map(({ mediaId }: { mediaId: string }) => mediaId)).toEqual(
      shared.photos.map(({ mediaId }) => mediaId),
    );
    expect(pictures.map(({ n }) => n)).toEqual([0, 1]);
    for (const { pack, keys } of pictures) {
      const { tiles, variants } = readPackHeader(pack);
      expect([variants, tiles, keys.length]).toEqual([1, 48, 48 * 32]);
      for (let tile = 0; tile < tiles; tile++)
        expect(await readPicture(openTile(pack, keys, tile))).toMatchObject({ format: 'webp', width: 64, height: 64 });
    }
  });

  it('sends no more pictures than the first screen has', async () => {
    const { slug } = await shared.makeLink();
    const { head, pictures } = await shared.viewerApi.tap(slug, { firstScreen: 1 });
    expect([head.items.length, head.leases.length, pictures.length]).toEqual([2, 1, 1]);
  });

  it('gives keys of one variant of each tile, and none of the other', async () => {
    const { slug } = await shared.makeLink();
    const { pictures } = await shared.viewerApi.tap(slug);
    for (const [n, { pack, keys }] of pictures.entries()) {
      const photo = shared.photos[n];
      if (photo === undefined) throw new Error('an item more than there are photos');
      for (const [tile, bit] of bitsOf(pack, photo.packs.thumb512.bytes).entries()) {
        const key = keys.subarray(32 * tile, 32 * tile + 32);
        expect(key.equals(deriveKey(photo.mediaKey, pack, 'thumb512', bit, tile))).toBe(true);
        expect(key.equals(deriveKey(photo.mediaKey, pack, 'thumb512', 1 - bit, tile))).toBe(false);
      }
    }
  });

  it('shows every viewer of a link the same half of the tiles, and half of them a half of their own', async () => {
    const { slug } = await shared.makeLink();
    const [one, other] = [await shared.viewerApi.tap(slug), await shared.viewerApi.tap(slug)];
    const stored = shared.photos[0]?.packs.thumb512.bytes ?? Buffer.alloc(0);
    const bits = [one, other].map(({ pictures }) => bitsOf(pictures[0]?.pack ?? Buffer.alloc(0), stored));
    const isLinks = (tile: number) => ((tile % 8) + Math.floor(tile / 8)) % 2 === 0;
    const differing = bits[0]?.flatMap((bit, tile) => (bit === bits[1]?.[tile] ? [] : [tile])) ?? [];
    expect(differing.filter(isLinks)).toEqual([]);
    expect(differing.length).toBeGreaterThan(3);
  });

  it('gives the same viewer the same grant and the same codeword, however often they open', async () => {
    const { id, slug } = await shared.makeLink();
    const browser = newBrowser();
    const [one, other] = [await shared.viewerApi.tap(slug, {}, browser), await shared.viewerApi.tap(slug, {}, browser)];
    expect(other.pictures[0]?.pack).toEqual(one.pictures[0]?.pack);
    expect(await readRows(app, 'select 1 from link_viewers where link_id = $1', [id])).toHaveLength(1);
    expect(
      await readRows(app, 'select 1 from grants g join link_viewers a on a.id = g.id where a.link_id = $1', [id]),
    ).toHaveLength(1);
  });

  it('fixes the codewords of a grant in the append-only log before any key leaves', async () => {
    const { id, slug } = await shared.makeLink();
    await shared.viewerApi.tap(slug);
    const [logged] = await readRows<{ grant_id: string; commitment: Buffer }>(
      app,
      'select c.grant_id, c.commitment from codeword_log c join link_viewers a on a.id = c.grant_id where a.link_id = $1',
      [id],
    );
    const { database, keys } = app.engines;
    const traceKey = await database.work({ kind: 'system' }, (tx) => ensureTraceKey(tx, keys, shared.creator.userId));
    const grantId = logged?.grant_id ?? '';
    expect(logged?.commitment).toEqual(commitment(grantId, grantSeed(traceKey, grantId)));
  });

  it('writes down who was lent what, and keeps it as the list of suspects', async () => {
    const { id, slug } = await shared.makeLink();
    const { head } = await shared.viewerApi.tap(slug);
    const leases = await readRows<{ id: string }>(app, 'select k.id from key_leases k where k.session_id = $1', [
      head.visitId,
    ]);
    expect(leases.map((lease) => lease.id).sort()).toEqual(
      head.leases.map(({ leaseId }: { leaseId: string }) => leaseId).sort(),
    );
    const deliveries = await readRows(
      app,
      'select 1 from deliveries d join link_viewers a on a.id = d.grant_id where a.link_id = $1',
      [id],
    );
    expect(deliveries).toHaveLength(2);
  });

  it('marks the pictures with whom they are for, the minute and the code of the grant', async () => {
    const recipientName = `Bob ${'b'.repeat(50)}`;
    const { id, slug } = await shared.makeLink({ mark: 'tiled', recipientInMark: true }, { recipientName });
    app.setNow('2026-11-21T12:34:56Z');
    const { head } = await shared.viewerApi.tap(slug);
    const [grant] = await readRows<{ id: string }>(app, 'select id from link_viewers where link_id = $1', [id]);
    expect(head.mark.look).toBe('tiled');
    const code = grant?.id.slice(-8).toUpperCase();
    expect(head.mark.text).toMatch(new RegExp(` · ${recipientName.slice(0, 40)} · 2026-11-21 12:34 UTC · ${code}$`));
  });

  it('shows the name of a link to nobody, and for whom it was made only where its creator said so', async () => {
    const names = { linkName: 'Bob, three doors down', recipientName: 'Bob the neighbour' };
    const { slug } = await shared.makeLink({ mark: 'tiled' }, names);
    const { head } = await shared.viewerApi.tap(slug);
    expect(head.mark.text).toContain('UTC');
    expect(JSON.stringify(head)).not.toMatch(/neighbour|three doors/);
  });

  it('tells when the link ends for this viewer', async () => {
    const { slug } = await shared.makeLink({}, { expiry: { kind: 'after', hours: 1 } });
    const { head } = await shared.viewerApi.tap(slug);
    expect(head.endsInMs).toBe(3_600_000);
  });
});

describe('the cookie', () => {
  it('is set by the first tap, for 400 days, out of reach of scripts, and stored as a hash', async () => {
    const { slug } = await shared.makeLink();
    const browser = newBrowser();
    const { headers } = await shared.viewerApi.tap(slug, {}, browser);
    expect(headers.getSetCookie()).toEqual([
      expect.stringMatching(/^pf_viewer=[\w-]{43}; Path=\/; Max-Age=34560000; HttpOnly; SameSite=Lax$/),
    ]);
    const secret = browser.cookies.get('pf_viewer') ?? '';
    const stored = await readRows<{ row: string }>(app, 'select d::text as row from viewer_devices d');
    expect(stored.some(({ row }) => row.includes(secret))).toBe(false);
    const again = await shared.viewerApi.tap(slug, {}, browser);
    expect(again.headers.getSetCookie()).toEqual([]);
  });

  it('leaves no rows by itself: who meets a gate and goes away was never here', async () => {
    const { slug } = await shared.makeLink({ ageGate: true });
    const before = await countViewerRows(app);
    const { status, refusal } = await shared.viewerApi.tap(slug);
    expect([status, refusal?.reason]).toEqual([200, 'NEED_AGE']);
    expect(await countViewerRows(app)).toEqual(before);
  });
});

describe('what counts', () => {
  const previewers = [...previewAgents, 'curl/8.5.0', ''];

  /** Programs are counted after their answer, many at once. */
  const opened: string[] = [];
  it.each(previewers)('is not a look by %s, whatever it sends', async (userAgent) => {
    const { id, slug } = await shared.makeLink();
    opened.push(id);
    const before = await countViewerRows(app);
    const robot: Browser = newBrowser({ 'user-agent': userAgent });
    for (const method of ['GET', 'HEAD'])
      for (const path of [`/view/${slug}`, `/api/view/${slug}/open`])
        await shared.viewerApi.fetch(path, { method }, robot);
    const posted = await shared.viewerApi.tap(slug, {}, robot);
    expect(posted.refusal).toMatchObject({ reason: 'NEED_BROWSER', title: 'Please open this in your own browser' });
    const unknown = await shared.viewerApi.tap('AbCdEfGhIjKlMnOpQrSt', {}, robot);
    const said = [posted.status, posted.refusal];
    expect([unknown.status, unknown.refusal], 'the same of a link that there is not').toEqual(said);
    expect(await countViewerRows(app)).toEqual(before);
    expect(
      await readRows(app, 'select 1 from magic_links where id = $1 and first_opened_at is not null', [id]),
    ).toEqual([]);
  });

  it('is not a look by a prefetch', async () => {
    const { id, slug } = await shared.makeLink();
    opened.push(id);
    const before = await countViewerRows(app);
    const { refusal } = await shared.viewerApi.tap(slug, {}, newBrowser({ 'sec-purpose': 'prefetch' }));
    expect(refusal?.reason).toBe('NEED_BROWSER');
    expect(await countViewerRows(app)).toEqual(before);
  });

  it('is written down of each of them as one open of a program', async () => {
    expect(opened).toHaveLength(previewers.length + 1);
    const text = 'select link_id, opens from robot_opens where link_id = any($1) order by link_id';
    const each = opened.toSorted().map((id) => ({ link_id: id, opens: 1 }));
    await vi.waitFor(async () => expect(await readRows(app, text, [opened])).toEqual(each));
  });

  it("does not count the creator's own look, which takes no place either", async () => {
    const { id, slug } = await shared.makeLink({ bindFirstViewer: true });
    const { head } = await shared.viewerApi.tap(slug, {}, { cookies: new Map(shared.creator.browser.cookies) });
    const [visit] = await readRows(app, 'select suspect_reason from viewer_sessions where id = $1', [head.visitId]);
    expect(visit).toEqual({ suspect_reason: 'own' });
    expect(await readRows(app, 'select 1 from view_events where link_id = $1', [id])).toEqual([]);
    expect(await readRows(app, 'select places_taken, first_opened_at from magic_links where id = $1', [id])).toEqual([
      { places_taken: 0, first_opened_at: null },
    ]);
    const bob = await shared.viewerApi.tap(slug);
    expect(bob.status).toBe(200);
    expect(bob.head?.visitId).toBeDefined();
  });

  it('treats another creator as anybody', async () => {
    const { slug } = await shared.makeLink();
    const { browser } = await signUpCreator(app);
    const { head } = await shared.viewerApi.tap(slug, {}, browser);
    expect(await readRows(app, 'select suspect_reason from viewer_sessions where id = $1', [head.visitId])).toEqual([
      { suspect_reason: null },
    ]);
  });

  it('knows a browser that a program drives, and lists its visit with the reason', async () => {
    const { slug } = await shared.makeLink();
    const userAgent =
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/130.0.0.0 Safari/537.36';
    const { head } = await shared.viewerApi.tap(slug, {}, newBrowser({ 'user-agent': userAgent }));
    expect(await readRows(app, 'select suspect_reason from viewer_sessions where id = $1', [head.visitId])).toEqual([
      { suspect_reason: 'automation' },
    ]);
  });

  it("takes a browser's word that a program drives it: it lowers the count of its own visit and opens nothing more", async () => {
    const { id, slug } = await shared.makeLink({ maxVisits: 2 });
    const browser = newBrowser();
    const { head } = await shared.viewerApi.tap(
      slug,
      { isDriven: true, screen: '1920x1080@1.3333333730697632' },
      browser,
    );
    expect(
      await readRows(
        app,
        `select s.suspect_reason, d.screen from viewer_sessions s join viewer_devices d on d.id = s.device_id where s.id = $1`,
        [head.visitId],
      ),
    ).toEqual([{ suspect_reason: 'automation', screen: '1920x1080@1.33333337' }]);
    expect(await readRows(app, 'select 1 from view_events where link_id = $1', [id])).toEqual([]);
    // Its visits are used up like anybody's, and a person who says nothing of the kind is counted.
    app.setNow('2026-11-21T13:00:00Z');
    expect((await shared.viewerApi.tap(slug, { isDriven: true }, browser)).status).toBe(200);
    app.setNow('2026-11-21T14:00:00Z');
    expect((await shared.viewerApi.tap(slug, { isDriven: true }, browser)).refusal?.reason).toBe('VISITS_USED');
    await shared.viewerApi.tap(slug, { isDriven: false }, newBrowser());
    expect(await readRows(app, 'select kind from view_events where link_id = $1', [id])).toEqual([{ kind: 'open' }]);
    app.setNow('2026-11-21T12:00:00Z');
  });

  it('goes on with the same visit after a gap under ten minutes, and begins another after that', async () => {
    const { slug } = await shared.makeLink();
    const browser = newBrowser();
    const first = await shared.viewerApi.tap(slug, {}, browser);
    app.setNow('2026-11-21T12:09:59Z');
    const second = await shared.viewerApi.tap(slug, {}, browser);
    app.setNow('2026-11-21T12:19:59Z');
    const third = await shared.viewerApi.tap(slug, {}, browser);
    app.setNow('2026-11-21T12:00:00Z');
    expect(second.head.visitId).toBe(first.head.visitId);
    expect(third.head.visitId).not.toBe(first.head.visitId);
  });

  it('estimates the country by the time zone only when the address tells nothing, and says so', async () => {
    const { slug } = await shared.makeLink();
    const { head } = await shared.viewerApi.tap(slug, { timeZone: 'Europe/Lisbon' });
    const unknown = await shared.viewerApi.tap(slug, { timeZone: 'Mars/Olympus' });
    const where = await readRows(app, 'select country, location_source from viewer_sessions where id = any($1)', [
      [head.visitId, unknown.head.visitId],
    ]);
    expect(where).toContainEqual({ country: 'PT', location_source: 'timezone' });
    expect(where).toContainEqual({ country: null, location_source: 'unknown' });
  });
});
