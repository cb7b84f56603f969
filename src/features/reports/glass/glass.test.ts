import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { listEmails } from '#features/notices/store.ts';
import { minuteMs } from '#kit/time.ts';
import { readPicture } from '#tests/support/media/pictures.ts';
import { type SharedVideo, shareVideo } from '#tests/support/media/shared-video.ts';
import { connectPayouts, payAt, sessionOf, tapDoor, tapPay, tipToOpen } from '#tests/support/money/selling.ts';
import {
  advance,
  makeAdministrator,
  must,
  type Person,
  readRow,
  readRows,
  signInQuickly,
  signUpCreator,
} from '#tests/support/people.ts';
import { type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { type Browser, newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { bitsOf, openTile, readStream } from '#tests/support/viewer-api.ts';

let app: TestApp;
let shared: SharedAlbum;
let other: SharedAlbum;
let admin: Person;
let second: Person;
let link: { id: string; slug: string };
let number: string;
let desk: Browser;
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  app.setNow('2026-11-30T12:00:00Z');
  shared = await shareAlbum(app);
  other = await shareAlbum(app, { count: 1 });
  [admin, second] = [await signUpCreator(app), await signUpCreator(app)];
  for (const person of [admin, second]) await makeAdministrator(app, person);
  link = await shared.makeLink();
});
afterAll(() => app.close());
beforeEach(async () => {
  // What was too much in one minute stays known in this process.
  advance(app, minuteMs);
  for (const table of ['break_glasses', 'mail_outbox', 'rate_limits', 'reports'])
    await readRows(app, `delete from ${table}`);
  await readRows(app, `update user_roles set scopes = '{moderation}'`);
  desk = await signInQuickly(app, admin.userId);
  number = await report(`http://localhost:3000/view/${link.slug}`);
});

async function report(target: string): Promise<string> {
  const details = 'The second photo shows me, and I never agreed.';
  const who = { onBehalf: 'self', name: 'Ana Example', email: 'ana@example.com', isInGoodFaith: true };
  return (await must(app, 'reports.send', { kind: 'other', target, details, ...who }, newBrowser())).number;
}

const reason = 'To see whether the second photo shows Ana.';
const open = (browser = desk, more: object = {}) =>
  app.call('adminGlass.open', { about: { report: number }, reason, untoldBecause: null, ...more }, browser);
const looks = async (browser = desk) => must(app, 'adminGlass.about', { about: { report: number } }, browser);
const ask = async (glassId: string, mediaIds: readonly string[], browser = desk, rendition = 'p2048') =>
  readStream(
    await shared.viewerApi.fetch(
      `/api/admin/glass/${glassId}/leases`,
      {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ items: mediaIds.map((mediaId) => ({ mediaId, rendition })) }),
      },
      browser,
    ),
  );
const emailsTo = async (address: string) =>
  (await app.engines.database.work({ kind: 'system' }, (tx) => listEmails(tx, 100))).filter(({ to }) => to === address);
const mediaIds = () => shared.photos.map(({ mediaId }) => mediaId);

describe("an administrator's look at what was reported", () => {
  it('shows nothing before a reason was given, and then what the link shows, for half an hour', async () => {
    expect(await looks()).toEqual({ open: null, looks: [] });
    const { status, body: glass } = await open();
    expect(status).toBe(200);
    expect(glass.items.map(({ mediaId }: { mediaId: string }) => mediaId).sort()).toEqual(mediaIds().sort());
    const { pictures } = await ask(glass.id, mediaIds());
    expect(pictures).toHaveLength(2);
    for (const { pack, keys } of pictures)
      expect(await readPicture(openTile(pack, keys, 0))).toMatchObject({ format: 'webp' });
    advance(app, 30 * minuteMs);
    expect((await ask(glass.id, mediaIds())).status).toBe(404);
    expect((await looks()).open).toBeNull();
  });

  it('is told to the creator with the reason, written down, and listed for whoever decides next', async () => {
    await open();
    const [email] = await emailsTo(shared.creator.email);
    expect(email?.template).toBe('glass_opened');
    for (const said of [reason, `report ${number}`]) expect(email?.text).toContain(said);
    expect(email?.text).not.toMatch(/ana@example|Ana Example/);
    const audited = await readRows(
      app,
      `select actor_id, target_id, details from audit_log where action = 'glass.opened'`,
    );
    expect(audited.at(-1)).toMatchObject({
      actor_id: admin.userId,
      target_id: shared.creator.userId,
      details: { report: number, reason },
    });
    const seen = await looks(await signInQuickly(app, second.userId));
    expect(seen).toMatchObject({ open: null, looks: [{ adminId: admin.userId, reason, isTold: true }] });
  });

  it('is one look and one email, however often the button is pressed', async () => {
    const answers = await Promise.all([open(), open(), open()]);
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect(await emailsTo(shared.creator.email)).toHaveLength(1);
  });

  it('is marked with a codeword of the administrator, and what they saw stands in the deliveries', async () => {
    const { body: mine } = await open();
    const theirDesk = await signInQuickly(app, second.userId);
    const { body: theirs } = await open(theirDesk);
    const [one] = mediaIds();
    const bits = async (glassId: string, browser: Browser) => {
      const { pictures } = await ask(glassId, [one ?? ''], browser);
      return bitsOf(pictures[0]?.pack ?? Buffer.alloc(0), shared.photos[0]?.packs.p2048.bytes ?? Buffer.alloc(0)).join(
        '',
      );
    };
    const [first, next] = [await bits(mine.id, desk), await bits(theirs.id, theirDesk)];
    expect(first).not.toBe(next);
    expect(await bits(mine.id, desk)).toBe(first);
    const shown = await readRows(
      app,
      `select g.user_id, d.media_id from deliveries d join grants g on g.id = d.grant_id
       join codeword_log c on c.grant_id = g.id where g.kind = 'admin' and g.user_id = $1`,
      [admin.userId],
    );
    expect(shown).toContainEqual({ user_id: admin.userId, media_id: one });
    expect(mine.mark).toContain('administrator');
  });

  it('opens for nobody else, for no other media, and not once it is closed', async () => {
    const { body: glass } = await open();
    const theirDesk = await signInQuickly(app, second.userId);
    const [strange] = other.photos.map(({ mediaId }) => mediaId);
    expect((await ask(glass.id, [strange ?? ''])).status).toBe(404);
    expect((await ask(glass.id, mediaIds(), theirDesk)).status).toBe(404);
    expect((await ask(glass.id, mediaIds(), shared.creator.browser)).status).toBe(403);
    expect((await ask(glass.id, mediaIds(), newBrowser())).status).toBe(401);
    expect((await app.call('adminGlass.close', { glassId: glass.id }, theirDesk)).status).toBe(404);
    await readRows(app, `update user_roles set scopes = '{support}' where user_id = $1`, [admin.userId]);
    expect((await ask(glass.id, mediaIds())).status).toBe(403);
    await readRows(app, `update user_roles set scopes = '{moderation}' where user_id = $1`, [admin.userId]);
    expect((await ask(glass.id, mediaIds())).status).toBe(200);
    await must(app, 'adminGlass.close', { glassId: glass.id }, desk);
    expect((await ask(glass.id, mediaIds())).status).toBe(404);
    expect((await app.call('adminGlass.close', { glassId: glass.id }, desk)).status).toBe(404);
  });

  it('is kept from the creator by an owner alone, who names the law', async () => {
    const quiet = { untoldBecause: '18 USC 2258A' };
    expect((await open(desk, quiet)).status).toBe(403);
    await readRows(app, `update user_roles set scopes = '{owner}'`);
    expect((await open(desk, quiet)).status).toBe(200);
    expect(await emailsTo(shared.creator.email)).toEqual([]);
    expect((await looks()).looks).toMatchObject([{ isTold: false }]);
    // Nor is it among what they take along of their account.
    const told = await readRows(
      app,
      `select details from audit_log where target_id = $1 and details::text like '%18 USC%'`,
      [shared.creator.userId],
    );
    expect(told).toEqual([]);
  });

  it('is not of their own media, nor of a report that names no link', async () => {
    number = await report('a picture somewhere else');
    expect((await open()).status).toBe(404);
    await makeAdministrator(app, shared.creator);
    const own = await signInQuickly(app, shared.creator.userId);
    number = await report(`http://localhost:3000/view/${link.slug}`);
    await readRows(app, `update user_roles set scopes = '{moderation}'`);
    expect((await open(own)).status).toBe(403);
    await readRows(app, 'delete from user_roles where user_id = $1', [shared.creator.userId]);
  });

  it('is of 60 full photos a minute at most', async () => {
    const { body: glass } = await open();
    const many = Array.from({ length: 20 }, () => mediaIds()[0] ?? '');
    const statuses = [];
    for (let n = 0; n < 4; n++) statuses.push((await ask(glass.id, many)).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
  });
});

describe('what was sold by an order', () => {
  it('is looked at by the order, and by no order of nobody', async () => {
    await connectPayouts(app, shared.creator);
    const sold = await shared.makeLink(tipToOpen(1000));
    const buyer = newBrowser();
    await tapDoor(app, sold.slug, buyer);
    const session = sessionOf((await tapPay(app, sold.slug, buyer)).body.url);
    await payAt(app, session);
    const order = await readRow(app, 'select id, creator_id from checkout_orders where link_id = $1', [sold.id]);
    const about = { orderId: order.id };
    // Nobody complains about it.
    expect((await open(desk, { about })).status).toBe(404);
    await readRows(
      app,
      `insert into refund_requests (id, order_id, creator_id, kind, reason, text, state, created_at)
       select gen_random_uuid(), id, creator_id, 'complaint', 'not_delivered', 'Not what was shown.', 'creator', now() from checkout_orders where id = $1`,
      [order.id],
    );
    const { status, body: glass } = await open(desk, { about });
    expect(status).toBe(200);
    const seen = await ask(glass.id, mediaIds());
    expect([seen.status, seen.text, seen.pictures.length]).toEqual([200, '', 2]);
    expect((await must(app, 'adminGlass.about', { about }, desk)).looks).toMatchObject([{ reason }]);
    expect((await looks()).looks).toEqual([]);
    expect((await open(desk, { about: { orderId: admin.userId } })).status).toBe(404);
  });
});

describe('a video behind the glass', () => {
  it('plays for whoever looks, and stops with the look', async () => {
    const video: SharedVideo = await shareVideo(app);
    const { slug } = await video.makeLink({}, { albumIds: [video.videoAlbumId] });
    number = await report(`http://localhost:3000/view/${slug}`);
    const { body: glass } = await open();
    const { mediaId } = video.video;
    const list = async (name: string, browser = desk) => {
      const path = `/api/admin/glass/${glass.id}/media/${mediaId}/video/${name}`;
      return (await shared.viewerApi.fetch(path, {}, browser)).status;
    };
    const tracks = [{ track: 'v720', from: 0, count: 10 }];
    const keys = (browser = desk) => app.call('adminGlass.videoKeys', { glassId: glass.id, mediaId, tracks }, browser);
    expect([await list('main.m3u8'), await list('v720.m3u8'), await list('v9.m3u8')]).toEqual([200, 200, 404]);
    const { status, body } = await keys();
    expect([status, Buffer.from(body.leases[0].keys, 'base64url').length]).toEqual([200, 160]);
    const theirDesk = await signInQuickly(app, second.userId);
    expect([await list('main.m3u8', theirDesk), (await keys(theirDesk)).status]).toEqual([404, 404]);
    await must(app, 'adminGlass.close', { glassId: glass.id }, desk);
    expect([await list('main.m3u8'), (await keys()).status]).toEqual([404, 404]);
  });
});
