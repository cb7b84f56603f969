import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hashKey } from '#features/audit/store.ts';
import { deliverDue } from '#features/notices/notifying.ts';
import { listEmails } from '#features/notices/store.ts';
import { readRows } from '#tests/support/people.ts';
import { countViewerRows, type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { headersOf, newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { phone } from '#tests/support/viewer-api.ts';
import { noteWrongPassword } from './password-alerts.ts';
import { forgivePasswordTurn, takePasswordTurn } from './password-store.ts';

let app: TestApp;
let shared: SharedAlbum;
beforeAll(async () => {
  app = await openTestApp();
  shared = await shareAlbum(app, { count: 1 });
});
afterAll(() => app.close());

const password = 'blue orchard';
const locked = () => shared.makeLink({}, { password });

describe('the age gate', () => {
  it('is passed by a yes, which is remembered for 30 days on every link', async () => {
    const { slug } = await shared.makeLink({ ageGate: true });
    const browser = newBrowser();
    expect((await shared.viewerApi.tap(slug, {}, browser)).refusal).toMatchObject({
      reason: 'NEED_AGE',
      title: 'Are you 18 or older?',
      host: { welcomeText: '' },
    });
    expect((await shared.viewerApi.tap(slug, { isAdult: true }, browser)).head?.visitId).toBeDefined();
    const { slug: another } = await shared.makeLink({ ageGate: true }, { expiry: { kind: 'never' } });
    expect((await shared.viewerApi.tap(another, {}, browser)).head?.visitId).toBeDefined();
    app.setNow('2026-12-21T11:59:59Z');
    expect((await shared.viewerApi.tap(another, {}, browser)).head?.visitId).toBeDefined();
    app.setNow('2026-12-21T12:00:00Z');
    expect((await shared.viewerApi.tap(another, {}, browser)).refusal?.reason).toBe('NEED_AGE');
    app.setNow('2026-11-21T12:00:00Z');
  });

  it('is kept as soon as it is passed, also when the next gate is still closed', async () => {
    const { slug } = await shared.makeLink({ ageGate: true }, { password });
    const browser = newBrowser();
    const before = await countViewerRows(app);
    expect((await shared.viewerApi.tap(slug, { isAdult: true }, browser)).refusal?.reason).toBe('NEED_PASSWORD');
    const after = await countViewerRows(app);
    const added = ['viewers', 'viewer_devices', 'link_viewers'].map(
      (table) => (after[table] ?? 0) - (before[table] ?? 0),
    );
    expect(added).toEqual([1, 1, 0]);
    expect((await shared.viewerApi.tap(slug, {}, browser)).refusal?.reason).toBe('NEED_PASSWORD');
  });
});

describe('the password', () => {
  it('opens when it is right, and is never asked again of the same viewer', async () => {
    const { slug } = await locked();
    const browser = newBrowser();
    expect((await shared.viewerApi.tap(slug, {}, browser)).refusal).toMatchObject({
      reason: 'NEED_PASSWORD',
      title: 'This album has a password',
    });
    expect((await shared.viewerApi.tap(slug, { password }, browser)).head?.visitId).toBeDefined();
    expect((await shared.viewerApi.tap(slug, {}, browser)).head?.visitId).toBeDefined();
  });

  it('says how many tries are left, and then how long to wait, which a reload does not end', async () => {
    const { slug } = await locked();
    const browser = newBrowser();
    for (const left of ['4 tries', '3 tries', '2 tries', '1 try'])
      expect((await shared.viewerApi.tap(slug, { password: 'wrong one' }, browser)).refusal?.text).toBe(
        `That's not it. ${left} left.`,
      );
    const lockedFor = (waitMs: number) => ({
      reason: 'NEED_PASSWORD',
      text: 'Too many wrong passwords.',
      triesLeft: 0,
      waitMs,
    });
    const { refusal } = await shared.viewerApi.tap(slug, { password: 'wrong one' }, browser);
    expect(refusal).toMatchObject(lockedFor(900_000));
    app.setNow('2026-11-21T12:10:00Z');
    expect((await shared.viewerApi.tap(slug, {}, browser)).refusal).toMatchObject(lockedFor(300_000));
    app.setNow('2026-11-21T12:15:00Z');
    expect((await shared.viewerApi.tap(slug, {}, browser)).refusal).toMatchObject({
      title: 'This album has a password',
      text: 'Enter the password you were given.',
    });
    app.setNow('2026-11-21T12:00:00Z');
    const over = await shared.viewerApi.tap(slug, { password }, browser);
    expect(over.status).toBe(429);
    expect(JSON.parse(over.text)).toMatchObject({ code: 'RATE_LIMITED', data: { retryAfter: 900 } });
    expect(over.headers.get('retry-after')).toBe('900');
    expect((await shared.viewerApi.tap(slug, { password })).head?.visitId).toBeDefined();
  });

  it('is asked again when the creator has changed it', async () => {
    const { id, slug } = await locked();
    const browser = newBrowser();
    await shared.viewerApi.tap(slug, { password }, browser);
    const changed = await app.call('links.update', { linkId: id, password: 'green orchard' }, shared.creator.browser);
    expect(changed.status).toBe(200);
    expect((await shared.viewerApi.tap(slug, {}, browser)).refusal?.reason).toBe('NEED_PASSWORD');
    expect((await shared.viewerApi.tap(slug, { password: 'green orchard' }, browser)).head?.visitId).toBeDefined();
  });

  it('is not even looked at when the link has ended: the answer takes no longer', async () => {
    const { id, slug } = await locked();
    await app.call('links.revoke', { linkIds: [id] }, shared.creator.browser);
    const { refusal, status } = await shared.viewerApi.tap(slug, { password });
    expect([status, refusal?.reason]).toEqual([410, 'NOT_FOUND']);
  });
});

describe('guessing a password', () => {
  const system = { kind: 'system' } as const;
  const emailsOf = async (linkId: string) => {
    await deliverDue(app.engines);
    const emails = await app.engines.database.work(system, (tx) => listEmails(tx, 1000));
    return emails.filter(({ text }) => text.includes(linkId));
  };

  it('is told to the maker with the 200th wrong one: one email for each link and day, and news for an open studio', async () => {
    const { id: linkId, slug } = await locked();
    const { userId: creatorId, email } = shared.creator;
    const received: string[] = [];
    const listening = await app.engines.database.listen(
      ({ kind, linkId: of }) => void (kind === 'link.passwordGuessed' && of === linkId && received.push(kind)),
      () => undefined,
    );
    const guess = async (version: number, count: number, now = new Date('2026-11-21T12:00:00Z')) => {
      for (let n = 0; n < count; n++) await noteWrongPassword(app.engines, { linkId, creatorId, version, now });
    };
    await guess(1, 198);
    await shared.viewerApi.tap(slug, { password: 'wrong one' });
    expect(await emailsOf(linkId)).toEqual([]);
    await shared.viewerApi.tap(slug, { password: 'wrong two' });
    // A job tells as well: who comes second finds nothing left to tell.
    await expect.poll(() => emailsOf(linkId)).toMatchObject([{ template: 'password_guessed', to: email }]);
    await guess(1, 50);
    await guess(2, 200);
    expect(await emailsOf(linkId)).toHaveLength(1);
    await guess(3, 200, new Date('2026-11-22T12:00:00Z'));
    await expect.poll(() => emailsOf(linkId)).toHaveLength(2);
    await expect.poll(() => received.length).toBe(3);
    await listening.close();
    // Each password is an event of its own, but those of ten minutes are one row.
    const seen = `select event_type, risk, source, count, viewer_id, details from security_events
      where magic_link_id = $1 order by timestamp`;
    const event = { event_type: 'password_bruteforce', risk: 'medium', source: 'server', viewer_id: null };
    expect(await readRows(app, seen, [linkId])).toEqual([
      { ...event, count: 2, details: { tries: 200 } },
      { ...event, count: 1, details: { tries: 200 } },
    ]);
  });
});

describe('wrong passwords', () => {
  it("stand on the link's page, and nowhere else", async () => {
    const { id, slug } = await locked();
    for (let n = 0; n < 3; n++) await shared.viewerApi.tap(slug, { password: 'wrong one' });
    await shared.viewerApi.tap(slug, { password });
    const page = await app.call('insights.visitsOfLink', { linkId: id }, shared.creator.browser);
    // A try that waited for another one was a little later.
    const lastAt = expect.stringMatching(/^2026-11-21T12:00:00/);
    expect(page.body.refused).toEqual([{ kind: 'password', times: 3, lastAt }]);
    expect(page.body.visits).toHaveLength(1);
    const { id: other } = await locked();
    const quiet = await app.call('insights.visitsOfLink', { linkId: other }, shared.creator.browser);
    expect(quiet.body.refused).toEqual([]);
  });
});

describe('networks of strangers', () => {
  const now = new Date('2026-11-21T12:30:00Z');
  const take = (linkId: string, network: string, at = now) =>
    takePasswordTurn(app.engines.database, { linkId, network, version: 1 }, at);
  const waitsOf = async (linkId: string, network: string, count: number) => {
    const waits: (number | undefined)[] = [];
    for (let n = 0; n < count; n++) {
      const at = await take(linkId, network);
      waits.push(at && (at.getTime() - now.getTime()) / 1000);
    }
    return waits;
  };

  it('try 20 passwords at once each; then theirs come 5 s apart, three wait, and no other network does', async () => {
    const { id } = await locked();
    const waits = await waitsOf(id, 'a', 25);
    expect(waits).toEqual([...Array(20).fill(0), 5, 10, 15, undefined, undefined]);
    expect(await waitsOf(id, 'b', 2)).toEqual([0, 0]);
    expect(await take(id, 'a', new Date('2026-11-21T12:31:00Z'))).toEqual(new Date('2026-11-21T12:31:00Z'));
    const dayLater = new Date('2026-11-22T12:32:00Z');
    expect(await Promise.all([1, 2, 3, 4, 5].map(() => take(id, 'a', dayLater)))).toEqual(Array(5).fill(dayLater));
  });

  it('get the same turn never twice, however many of them ask at once', async () => {
    const { id } = await locked();
    const turns = await Promise.all(Array.from({ length: 60 }, () => take(id, 'a')));
    const late = turns.flatMap((at) => (at === undefined || at <= now ? [] : [at.getTime()]));
    expect([new Set(late).size, late.length]).toEqual([3, 3]);
  });

  it('have only guessed what was wrong', async () => {
    const { id } = await locked();
    for (let n = 0; n < 40; n++) {
      expect(await take(id, 'a')).toEqual(now);
      await forgivePasswordTurn(app.engines.database, { linkId: id, network: 'a', version: 1 });
    }
  });

  /** A wrong password from an address of its own. */
  const tapFrom = (address: string, slug: string, typed: string, cookies = new Map<string, string>()) =>
    app.fastify.inject({
      method: 'POST',
      url: `/api/view/${slug}/open`,
      remoteAddress: address,
      headers: {
        'content-type': 'application/json',
        origin: 'http://localhost:3000',
        'user-agent': phone,
        ...headersOf({ cookies }),
      },
      payload: JSON.stringify({ password: typed, firstScreen: 0 }),
    });

  it('that guess and wait keep neither the next network waiting nor who was let in before', async () => {
    const { id, slug } = await locked();
    const friend = newBrowser();
    await shared.viewerApi.tap(slug, { password }, friend);
    const changed = 'green orchard';
    await app.call('links.update', { linkId: id, password: changed }, shared.creator.browser);
    const network = hashKey(app.engines.keys, 'viewing.network', `${id} 2001:db8:1:1::/64`);
    const tries = { linkId: id, network, version: 2 };
    for (let n = 0; n < 23; n++) await takePasswordTurn(app.engines.database, tries, new Date('2026-11-21T12:00:00Z'));
    // Any address of a /64 is the same network.
    const guessing = await tapFrom('2001:db8:1:1:ffff::2', slug, changed);
    expect(guessing.json()).toMatchObject({ reason: 'NEED_EMAIL' });
    const next = await tapFrom('2001:db8:1:2::1', slug, changed);
    expect(next.headers['content-type']).toBe('application/octet-stream');
    const known = await tapFrom('2001:db8:1:1::5', slug, changed, friend.cookies);
    expect(known.headers['content-type']).toBe('application/octet-stream');
  });
});

describe('the resume code', () => {
  it('brings a viewer back from another browser, as the same viewer under the same grant', async () => {
    const { id, slug } = await shared.makeLink({ bindFirstViewer: true });
    const first = await shared.viewerApi.tap(slug);
    const code: string = first.head.resumeCode;
    expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{10}$/);
    const stranger = await shared.viewerApi.tap(slug);
    expect([stranger.status, stranger.refusal?.reason]).toEqual([410, 'NOT_FOUND']);
    const browser = newBrowser();
    const typed = `${code.slice(0, 5).toLowerCase()}-${code.slice(5)}`;
    const back = await shared.viewerApi.tap(slug, { resumeCode: typed }, browser);
    expect(back.head?.visitId).toBeDefined();
    expect(back.pictures[0]?.pack).toEqual(first.pictures[0]?.pack);
    expect((await shared.viewerApi.tap(slug, {}, browser)).head?.visitId).toBe(back.head.visitId);
    const rows = await app.engines.database.work(
      { kind: 'system' },
      async ({ client }) => (await client.query('select 1 from link_viewers where link_id = $1', [id])).rows,
    );
    expect(rows).toHaveLength(1);
  });

  it('comes with the first admission only, and is stored as a hash', async () => {
    const { slug } = await shared.makeLink();
    const browser = newBrowser();
    const { head } = await shared.viewerApi.tap(slug, {}, browser);
    expect((await shared.viewerApi.tap(slug, {}, browser)).head.resumeCode).toBeUndefined();
    const [row] = await app.engines.database.work(
      { kind: 'system' },
      async ({ client }) =>
        (await client.query(`select string_agg(c::text, ' ') as all from viewer_resume_codes c`)).rows,
    );
    expect(row.all).not.toContain(head.resumeCode);
  });

  it('opens nothing on another link, after 30 days, or after five wrong tries', async () => {
    // Whoever waits in a test turns its clock a little.
    app.setNow('2026-11-21T12:00:00Z');
    const [one, other] = [
      await shared.makeLink({ bindFirstViewer: true }, { expiry: { kind: 'never' } }),
      await shared.makeLink(),
    ];
    const { head } = await shared.viewerApi.tap(one.slug);
    const { resumeCode } = head;
    const wrong = await shared.viewerApi.tap(other.slug, { resumeCode });
    expect([wrong.status, wrong.refusal?.reason, wrong.refusal?.triesLeft]).toEqual([200, 'CODE_WRONG', 4]);
    const browser = newBrowser();
    for (let n = 0; n < 5; n++) await shared.viewerApi.tap(one.slug, { resumeCode: 'AAAAAAAAAA' }, browser);
    expect((await shared.viewerApi.tap(one.slug, { resumeCode }, browser)).status).toBe(429);
    app.setNow('2026-12-21T12:00:00Z');
    expect((await shared.viewerApi.tap(one.slug, { resumeCode })).refusal?.reason).toBe('NOT_FOUND');
    app.setNow('2026-11-21T12:00:00Z');
  });
});
