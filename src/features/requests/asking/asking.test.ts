import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aRequest, askAtLink, askWith, emailsTo, readCode, takeRequests } from '#tests/support/money/requests.ts';
import { connectPayouts, post, tapDoor } from '#tests/support/money/selling.ts';
import { advance, must, readRows } from '#tests/support/people.ts';
import { type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { mostUnanswered } from '../rules.ts';

let app: TestApp;
let shared: SharedAlbum;

/** The same request as often again. */
const manyMore = `insert into custom_requests (id, provider, livemode, creator_id, creator_name, buyer_id, title, brief, kind, quantity, time_zone,
  currency, offered_cents, state, act_until, created_at)
select gen_random_uuid(), provider, livemode, creator_id, creator_name, buyer_id, title, brief, kind, quantity, time_zone, currency, offered_cents,
  state, act_until, created_at from custom_requests, generate_series(1, $2) where id = $1`;

beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  shared = await shareAlbum(app, { count: 1 });
  await connectPayouts(app, shared.creator);
  await takeRequests(app, shared.creator);
});
afterAll(() => app.close());

describe('asking', () => {
  it('needs the code of the email, a brief within the rules, and a price that she takes', async () => {
    const { slug } = await shared.makeLink();
    const browser = newBrowser();
    expect((await app.call('requests.offer', { slug }, browser)).status, 'before it has let them in').toBe(404);
    await tapDoor(app, slug, browser);
    expect((await app.call('requests.offer', { slug }, browser)).body).toMatchObject({
      leastCents: 1000,
      isFull: false,
    });
    const params = { slug, title: 'A photo', brief: 'At the beach.', kind: 'photo', quantity: 1, offeredCents: 4000 };
    const ask = (more: object) => app.call('requests.ask', { ...params, emailCode: '000000', ...more }, browser);
    expect((await ask({})).body.code).toBe('GONE');
    const outside = await ask({ brief: 'I pay by PayPal.' });
    expect(outside.body).toMatchObject({
      data: { reason: 'payment' },
      message: expect.stringContaining('Rule: payment'),
    });
    expect((await ask({ offeredCents: 999 })).body.code).toBe('PRICE_OUT_OF_RANGE');
  });

  it('is neither offered nor taken where no album of the link takes requests', async () => {
    const { slug } = await shared.makeLink();
    const browser = newBrowser();
    const offered = async () => (await shared.viewerApi.tap(slug, {}, browser)).head.takesRequests === true;
    const take = (takesRequests: boolean) =>
      must(app, 'albums.update', { albumId: shared.albumId, takesRequests }, shared.creator.browser);
    expect(await offered()).toBe(true);
    await take(false);
    expect(await offered()).toBe(false);
    for (const [call, input] of [
      ['requests.offer', { slug }],
      ['requests.mailCode', { slug, email: 'closed@example.com' }],
      ['requests.ask', { slug, ...aRequest, emailCode: '000000' }],
    ] as const)
      expect((await app.call(call, input, browser)).body, call).toMatchObject({
        code: 'NOT_FOUND',
        message: "This album doesn't take requests.",
        data: { reason: 'ALBUM' },
      });
    await take(true);
    expect((await app.call('requests.offer', { slug }, browser)).status).toBe(200);
  });

  it('is refused by whatever keeps the link itself closed, in the words of the door', async () => {
    const used = await shared.makeLink({ viewBudgetMs: 3_600_000 });
    const over = await shared.makeLink({}, { expiry: { kind: 'after', hours: 1 } });
    const browser = newBrowser();
    for (const { slug } of [used, over]) await tapDoor(app, slug, browser);
    const params = { ...aRequest, emailCode: '000000' };
    const asked = async ({ slug }: { slug: string }) => [
      (await app.call('requests.offer', { slug }, browser)).body,
      (await app.call('requests.ask', { slug, ...params }, browser)).body,
    ];
    expect(await asked(used)).toMatchObject([{ leastCents: 1000 }, { code: 'GONE' }]);
    await readRows(app, 'update link_viewers set watched_ms = 3600000 where link_id = $1', [used.id]);
    await readRows(app, 'update magic_links set expires_at = $2 where id = $1', [
      over.id,
      new Date(app.engines.clock()),
    ]);
    for (const [link, message] of [
      [used, 'Your viewing time is used up.'],
      [over, expect.stringMatching(/^This link has expired. It ended on /)],
    ] as const) {
      const no = { code: 'NOT_FOUND', message, data: { reason: 'LINK' } };
      expect(await asked(link)).toMatchObject([no, no]);
    }
  });

  it('takes five codes of the browser that asked, and the code is over with its minutes', async () => {
    const { slug } = await shared.makeLink();
    const browser = newBrowser();
    await tapDoor(app, slug, browser);
    const email = 'codes@example.com';
    await must(app, 'requests.mailCode', { slug, email }, browser);
    const emailCode = (await readCode(app, email)) ?? '';
    const ask = (code: string, who = browser) => app.call('requests.ask', { slug, ...aRequest, emailCode: code }, who);
    const wrong = emailCode === '000000' ? '111111' : '000000';
    expect((await ask(wrong)).body.message).toContain('4 tries left');
    expect((await ask(emailCode, newBrowser())).status, 'another browser').toBe(404);
    advance(app, 11 * 60_000);
    expect((await ask(emailCode)).body.code).toBe('GONE');
  });

  it('is no request before its code is entered', async () => {
    const count = () => readRows(app, 'select count(*)::int as n from custom_requests');
    const before = await count();
    const { slug } = await shared.makeLink();
    const browser = newBrowser();
    await tapDoor(app, slug, browser);
    await must(app, 'requests.mailCode', { slug, email: 'never@example.com' }, browser);
    expect((await app.call('requests.ask', { slug, ...aRequest, emailCode: 'x' }, browser)).status).toBe(422);
    expect(await count()).toEqual(before);
  });

  it('ends where she takes no more: what she has answered holds a place, what strangers ask holds none', async () => {
    await takeRequests(app, shared.creator, { mostOpen: 1 });
    await Promise.all([1, 2, 3].map(() => askAtLink(app, shared)));
    const { id: requestId } = await askAtLink(app, shared);
    await must(app, 'requests.accept', { requestId, days: 7 }, shared.creator.browser);
    await expect(askAtLink(app, shared)).rejects.toThrow("isn't taking any more");
    await must(app, 'requests.decline', { requestId }, shared.creator.browser);
    const { id } = await askAtLink(app, shared);
    await readRows(app, manyMore, [id, mostUnanswered - 5]);
    await askAtLink(app, shared);
    await expect(askAtLink(app, shared)).rejects.toThrow("isn't taking any more");
    await readRows(app, "update custom_requests set state = 'declined', closed_at = now() where id <> $1", [id]);
    await takeRequests(app, shared.creator, { isOn: false });
    const { slug } = await shared.makeLink();
    const browser = newBrowser();
    await tapDoor(app, slug, browser);
    expect((await app.call('requests.offer', { slug }, browser)).status).toBe(404);
    expect((await post(app, `/api/view/${slug}/open`, {}, browser)).status).toBe(200);
  });
});

describe('asking again', () => {
  beforeAll(() => takeRequests(app, shared.creator));
  const enough = {
    code: 'CONFLICT',
    data: { reason: 'UNPAID' },
    message: expect.stringMatching(/^You already have 2 requests with .* that aren't paid\./),
  };
  const come = async (slug: string) => {
    const browser = newBrowser();
    await tapDoor(app, slug, browser);
    return browser;
  };

  it('is refused to whoever has two unpaid ones, before a code is mailed in their own browser', async () => {
    const { slug } = await shared.makeLink();
    const [email, browser] = ['two@example.com', await come(slug)];
    const codes = [await askWith(app, { slug }, { browser, email })];
    advance(app, 60_000);
    codes.push(await askWith(app, { slug }, { browser, email }));
    advance(app, 60_000);
    const other = { slug, email: 'another@example.com' };
    expect((await app.call('requests.mailCode', other, browser)).body).toMatchObject(enough);
    expect(await emailsTo(app, other.email)).toEqual([]);
    // Elsewhere it is said to nobody but whoever reads the emails of that address.
    const second = await shared.makeLink();
    const elsewhere = await come(second.slug);
    await must(app, 'requests.mailCode', { slug: second.slug, email }, elsewhere);
    const emailCode = await readCode(app, email);
    const params = { slug: second.slug, ...aRequest, emailCode };
    expect((await app.call('requests.ask', params, elsewhere)).body).toMatchObject(enough);
    await must(app, 'requests.say', { code: codes[0], what: 'withdraw' }, browser);
    expect((await app.call('requests.ask', params, elsewhere)).status, 'the code is still good').toBe(200);
  });

  it('in the same moment is taken twice and no more', async () => {
    const email = 'many@example.com';
    const asked = [];
    for (let n = 0; n < 4; n++) {
      const { slug } = await shared.makeLink();
      const browser = await come(slug);
      await must(app, 'requests.mailCode', { slug, email }, browser);
      asked.push({ browser, params: { slug, ...aRequest, emailCode: await readCode(app, email) } });
      advance(app, 60_000);
    }
    const taps = await Promise.all(asked.map(({ browser, params }) => app.call('requests.ask', params, browser)));
    expect(taps.map(({ status }) => status).sort()).toEqual([200, 200, 409, 409]);
    expect(taps.filter(({ status }) => status === 409).map(({ body }) => body)).toMatchObject([enough, enough]);
  });
});
