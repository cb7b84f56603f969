import { createHmac } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { serverKeys } from '#engines/keys/key-ring.ts';
import { addTier, codeTo, makePass, take } from '#tests/support/money/passes.ts';
import { advance, confirmPerson, must, type Person, readRow, readRows, signUpCreator } from '#tests/support/people.ts';
import { newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { passCodes } from './passes-store.ts';

const day = 86_400_000;
const ended = { code: 'GONE', message: 'This invitation has ended.' };
let app: TestApp;
let mara: Person;
let tierId: string;
let people = 0;

beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  mara = await signUpCreator(app);
  await readRow(app, `update users set display_name = 'Mara' where id = $1 returning id`, [mara.userId]);
  tierId = await addTier(app, mara);
});
afterAll(() => app.close());

const someone = () => `fan-${++people}@example.com`;
const claimsOf = async (id: string) =>
  (await readRow<{ claims: number }>(app, 'select claims_count as claims from join_tokens where id = $1', [id])).claims;
const subscriptions = () =>
  readRows(app, 'select source, status, period_end, cancel_at_period_end from fan_subscriptions where tier_id = $1', [
    tierId,
  ]);

describe('a free pass', () => {
  it('shows what it gives and takes no place by being looked at or asked for', async () => {
    const { id, token } = await makePass(app, mara, tierId);
    expect(await must(app, 'viewing.pass', { token }, newBrowser())).toMatchObject({
      creatorName: 'Mara',
      tierName: 'Inner circle',
      benefits: 'Everything new.',
      days: 7,
    });
    await must(app, 'viewing.askForPass', { token, email: someone() }, newBrowser());
    expect([await claimsOf(id), await subscriptions()]).toEqual([0, []]);
  });

  it('is a subscription of its days without a card, which does not renew, and is told by email', async () => {
    const { id, token } = await makePass(app, mara, tierId);
    const email = someone();
    const { status, body } = await take(app, token, email);
    expect([status, body]).toEqual([200, { creatorName: 'Mara', until: '2026-11-28T12:00:00.000Z' }]);
    expect(await subscriptions()).toMatchObject([
      {
        source: 'pass',
        status: 'active',
        period_end: new Date('2026-11-28T12:00:00.000Z'),
        cancel_at_period_end: true,
      },
    ]);
    expect(await claimsOf(id)).toBe(1);
    const mails = await readRows(app, 'select template from mail_outbox where recipient = $1 order by created_at, id', [
      email,
    ]);
    expect(mails.map(({ template }) => template).toSorted()).toEqual(['pass_code', 'pass_given']);
    const { passes } = await must(app, 'passes.list', {}, mara.browser);
    expect(passes.find((one: { id: string }) => one.id === id)).toMatchObject({ claims: 1, places: 2, state: 'open' });
  });

  it('is found again in another browser by its address, though nothing was paid', async () => {
    const { token } = await makePass(app, mara, tierId);
    const email = someone();
    await take(app, token, email);
    await must(app, 'viewing.findPurchases', { email }, newBrowser());
    const { body_text } = await readRow<{ body_text: string }>(
      app,
      `select body_text from mail_outbox where recipient = $1 and template = 'purchases'`,
      [email],
    );
    const [, mailed = ''] = /find-my-purchases#(\w{43})/.exec(body_text) ?? [];
    const browser = newBrowser();
    await must(app, 'viewing.claimPurchases', { token: mailed }, browser);
    const { rows } = await must(app, 'viewing.subscriptions', {}, browser);
    expect(rows).toMatchObject([{ isPass: true, creatorName: 'Mara', state: 'active' }]);
  });

  it('is had once by a person of one creator, ever: by no other pass, spelling or browser of theirs', async () => {
    const first = await makePass(app, mara, tierId, { places: 5 });
    const email = someone();
    const browser = newBrowser();
    await take(app, first.token, email, browser);
    const second = await makePass(app, mara, tierId, { places: 5 });
    advance(app, 61_000);
    const again = await take(app, second.token, email.replace('@', '+again@'), newBrowser());
    expect([again.status, again.body.until]).toEqual([200, expect.any(String)]);
    const other = await take(app, second.token, someone(), browser);
    expect(other.status, 'the same browser goes on with the pass that it has').toBe(200);
    expect([await claimsOf(first.id), await claimsOf(second.id)]).toEqual([1, 0]);
    await readRow(
      app,
      `update fan_subscriptions set period_end = '2026-11-21T12:00:00Z' where source = 'pass' and period_end is not null
      and id = (select fan_subscription_id from join_claims where token_id = $1) returning id`,
      [first.id],
    );
    advance(app, 61_000);
    const late = await take(app, second.token, email, newBrowser());
    expect([late.status, late.body.message]).toEqual([
      409,
      "You've had a free pass from Mara before. There is one per person.",
    ]);
    const ana = await signUpCreator(app);
    const hers = await makePass(app, ana, await addTier(app, ana));
    advance(app, 61_000);
    expect((await take(app, hers.token, email, newBrowser())).status, 'of another creator').toBe(200);
  });

  it('was had by a person who is kept in the form of before, with the dots and the second domain of the address', async () => {
    const [first, second] = [await makePass(app, mara, tierId), await makePass(app, mara, tierId)];
    await take(app, first.token, 'v.era@googlemail.com');
    const [key = Buffer.alloc(0)] = serverKeys(app.engines.keys, 'pf1:pass');
    const hash = createHmac('sha256', key).update('v.era@googlemail.com').digest();
    await readRow(app, 'update join_claims set person_hash = $2 where token_id = $1 returning id', [first.id, hash]);
    advance(app, 61_000);
    await take(app, second.token, 'v.era+again@googlemail.com');
    expect([await claimsOf(first.id), await claimsOf(second.id)]).toEqual([1, 0]);
    await take(app, second.token, 'v.eri@googlemail.com');
    expect(await claimsOf(second.id)).toBe(1);
  });

  it('has no more places than it was made with, however many come at once', async () => {
    const { id, token } = await makePass(app, mara, tierId, { places: 3 });
    const guests = Array.from({ length: 8 }, () => ({ email: someone(), browser: newBrowser() }));
    for (const { email, browser } of guests) await must(app, 'viewing.askForPass', { token, email }, browser);
    const codes = await Promise.all(guests.map(({ email }) => codeTo(app, email)));
    const answers = await Promise.all(
      guests.map(({ browser }, n) => app.call('viewing.takePass', { token, code: codes[n] }, browser)),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
    for (const { body } of answers.filter(({ status }) => status !== 200)) expect(body).toMatchObject(ended);
    expect(await claimsOf(id)).toBe(3);
    const claims = await readRows(app, 'select id from join_claims where token_id = $1', [id]);
    expect(claims, 'who got nothing left nothing').toHaveLength(3);
  });

  it('is one, though its code is sent twice at the same moment', async () => {
    const { id, token } = await makePass(app, mara, tierId, { places: 5 });
    const [email, browser] = [someone(), newBrowser()];
    await must(app, 'viewing.askForPass', { token, email }, browser);
    const code = await codeTo(app, email);
    await Promise.all([1, 2, 3].map(() => app.call('viewing.takePass', { token, code }, { ...browser })));
    expect(await claimsOf(id)).toBe(1);
  });

  it('comes along to another browser by one code, though that is sent twice at the same moment', async () => {
    const { token } = await makePass(app, mara, tierId, { places: 5 });
    const [email, browser] = [someone(), newBrowser()];
    await take(app, token, email);
    advance(app, 61_000);
    await must(app, 'viewing.askForPass', { token, email }, browser);
    const code = await codeTo(app, email);
    const send = () => app.call('viewing.takePass', { token, code }, { ...browser });
    const answers = await Promise.all([send(), send(), send()]);
    expect(answers.map(({ status }) => status)).not.toContain(500);
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
  });

  it('ends alike for everybody: used up, over at its instant, revoked, its tier stopped, its creator gone, never made', async () => {
    const usedUp = await makePass(app, mara, tierId, { places: 1 });
    await take(app, usedUp.token, someone());
    const revoked = await makePass(app, mara, tierId);
    await must(app, 'passes.revoke', { passId: revoked.id }, mara.browser);
    const over = await makePass(app, mara, tierId, { openDays: 1 });
    const held = newBrowser();
    const email = someone();
    const bodies: unknown[] = [];
    const look = async (token: string) => {
      const looked = await app.call('viewing.pass', { token });
      const asked = await app.call('viewing.askForPass', { token, email: someone() }, newBrowser());
      const taken = await app.call('viewing.takePass', { token, code: '000000' }, newBrowser());
      expect([looked.status, asked.status, taken.status]).toEqual([410, 410, 410]);
      bodies.push(looked.body, asked.body, taken.body);
    };
    for (const token of [usedUp.token, revoked.token, 'A'.repeat(24), 'A'.repeat(22), '../..']) await look(token);
    advance(app, day - 1 - 122_000);
    await readRow(app, 'update join_tokens set expires_at = $2 where id = $1 returning id', [
      over.id,
      new Date(Date.now() + 1),
    ]);
    await must(app, 'viewing.askForPass', { token: over.token, email }, held);
    const code = await codeTo(app, email);
    advance(app, 1);
    await look(over.token);
    expect((await app.call('viewing.takePass', { token: over.token, code }, held)).body).toMatchObject(ended);
    const stopped = await makePass(app, mara, tierId);
    await readRow(app, 'update fan_tiers set slot = null, stopped_at = now() where id = $1 returning id', [tierId]);
    await look(stopped.token);
    await readRow(app, 'update fan_tiers set slot = 1, stopped_at = null where id = $1 returning id', [tierId]);
    for (const state of ["status = 'suspended'", "subscription_status = 'inactive'"]) {
      await readRow(app, `update users set ${state} where id = $1 returning id`, [mara.userId]);
      await look(stopped.token);
      const back = `update users set status = 'active', subscription_status = 'active' where id = $1 returning id`;
      await readRow(app, back, [mara.userId]);
    }
    for (const body of bodies) expect(body).toEqual(bodies[0]);
    expect(bodies[0]).toMatchObject(ended);
  });

  it('is refused as had only for what somebody has had: another conflict in the database is an error', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const { id, token } = await makePass(app, mara, tierId, { places: 5 });
    await take(app, token, someone());
    const owner = new pg.Client(app.engines.database.connection as pg.ClientConfig);
    await owner.connect();
    await owner.query(`create unique index planted on join_claims (token_id) where (token_id = '${id}')`);
    const { status } = await take(app, token, someone());
    await owner.query('drop index planted');
    await owner.end();
    expect(status).toBe(500);
    expect(logged).toHaveBeenCalledOnce();
    logged.mockClear();
  });

  it('takes five codes of the browser that asked, and forgets them when they are over', async () => {
    const { token } = await makePass(app, mara, tierId);
    const [email, browser] = [someone(), newBrowser()];
    await must(app, 'viewing.askForPass', { token, email }, browser);
    const code = await codeTo(app, email);
    const wrong = code === '111111' ? '222222' : '111111';
    const elsewhere = await app.call('viewing.takePass', { token, code }, newBrowser());
    expect([elsewhere.status, elsewhere.body.data]).toEqual([410, expect.objectContaining({ reason: 'CODE' })]);
    for (const left of [4, 3, 2, 1, 0])
      expect((await app.call('viewing.takePass', { token, code: wrong }, browser)).body.data.triesLeft).toBe(left);
    expect((await app.call('viewing.takePass', { token, code }, browser)).status).toBe(410);
    advance(app, 11 * 60_000);
    await app.engines.database.work({ kind: 'system' }, (tx) => passCodes.sweep(tx, new Date()));
    expect(await readRows(app, 'select id from pass_codes where email = $1', [email])).toEqual([]);
  });

  it('is not given to a viewer whom its creator has blocked', async () => {
    const { token } = await makePass(app, mara, tierId);
    const [email, browser] = [someone(), newBrowser()];
    const ana = await signUpCreator(app);
    const hers = await makePass(app, ana, await addTier(app, ana));
    await take(app, hers.token, email, browser);
    await readRow(
      app,
      `insert into viewer_blocks (creator_id, viewer_id, at, reason) select $1, viewer_id, now(), 'other' from join_claims where creator_id = $2 returning viewer_id`,
      [mara.userId, ana.userId],
    );
    advance(app, 61_000);
    expect((await take(app, token, email, browser)).body).toMatchObject(ended);
  });
});

describe('its creator', () => {
  it('can copy its address while it is open, makes no more than are sensible, and keeps to the limits', async () => {
    const { id, token } = await makePass(app, mara, tierId);
    const { passes, tiers } = await must(app, 'passes.list', {}, mara.browser);
    expect(tiers).toEqual([{ id: tierId, name: 'Inner circle' }]);
    expect(passes.find((one: { id: string }) => one.id === id).url).toBe(`http://localhost:3000/free-join/${token}`);
    for (const wrong of [{ days: 5 }, { days: 0 }, { places: 0 }, { places: 101 }, { openDays: 31 }, { openDays: 0 }]) {
      const { status } = await app.call('passes.create', { tierId, days: 7, ...wrong }, mara.browser);
      expect([wrong, status]).toEqual([wrong, 422]);
    }
    const { url } = await must(app, 'passes.revoke', { passId: id }, mara.browser);
    expect(url).toBeNull();
  });

  it('alone sees it and ends it, and makes it of her own tiers only', async () => {
    const { id } = await makePass(app, mara, tierId);
    const other = await signUpCreator(app);
    expect((await must(app, 'passes.list', {}, other.browser)).passes).toEqual([]);
    expect((await app.call('passes.revoke', { passId: id }, other.browser)).status).toBe(404);
    expect((await app.call('passes.create', { tierId, days: 7 }, other.browser)).status).toBe(404);
    expect((await app.call('passes.list', {}, newBrowser())).status).toBe(401);
  });

  it('gives no account by it: it is no invitation', async () => {
    const { token } = await makePass(app, mara, tierId);
    const signUp = { email: someone(), isAdult: true, invitation: token };
    expect((await app.call('accounts.invitation', { token })).status).toBe(410);
    expect((await app.call('accounts.signUp', signUp)).status).not.toBe(200);
    expect((await confirmPerson(app)).userId).toBeDefined();
  });
});
