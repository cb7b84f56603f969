import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  bring,
  follow,
  makePartner,
  type Partner,
  payBill,
  signUpIn,
  waitDays,
} from '#tests/support/money/partners.ts';
import {
  advance,
  listTemplates,
  makeAdministrator,
  must,
  type Person,
  readEmail,
  readRow,
  readRows,
  signInQuickly,
  signUpCreator,
} from '#tests/support/people.ts';
import { type Browser, newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { writeSettings } from '#tests/support/write-settings.ts';
import { runAffiliates } from '../commands.ts';

let app: TestApp;
let admin: Person;
let desk: Browser;
let partner: Partner;
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  app.setNow('2027-01-04T12:00:00Z');
  admin = await signUpCreator(app, { email: 'admin@example.com' });
  await makeAdministrator(app, admin);
  partner = await makePartner(app, 'jo@example.com');
});
afterAll(() => app.close());
beforeEach(async () => {
  await readRows(app, 'delete from rate_limits');
  desk = await signInQuickly(app, admin.userId);
});

let n = 0;
async function apply(): Promise<{ id: string; email: string }> {
  const email = `applicant-${++n}@example.com`;
  const application = { name: 'Al Hill', email, audience: 'Creators that I manage', marksAds: true };
  await must(app, 'affiliates.apply', application, newBrowser());
  // An email is newest by its time.
  advance(app, 1000);
  return { email, ...(await readRow<{ id: string }>(app, 'select id from affiliates where email = $1', [email])) };
}
const ask = (name: string, input: object, from = desk) => app.call(`adminAffiliates.${name}`, input, from);
const show = (id: string) => must(app, 'adminAffiliates.show', { affiliateId: id }, desk);
const mine = async (browser: Browser) => must(app, 'affiliates.mine', {}, browser);
const audited = (id: string) =>
  readRows(
    app,
    `select action, actor_type as by, details from audit_log where target_id = $1 and actor_type in ('admin', 'system') order by id`,
    [id],
  );

describe('an application', () => {
  it('is approved once, and is taken up by the account that has proven its address, and by no other', async () => {
    const { id, email } = await apply();
    const other = await signUpCreator(app);
    expect((await mine(other.browser)).standing).toBe('none');
    expect((await ask('approve', { affiliateId: id })).status).toBe(200);
    expect((await ask('approve', { affiliateId: id })).status).toBe(409);
    expect((await readEmail(app, email)).text).toContain('/account/affiliate');
    expect((await app.call('affiliates.claim', { acceptsTerms: true }, other.browser)).status).toBe(409);
    advance(app, 1000);
    const owner = await signUpCreator(app, { email });
    expect(await mine(owner.browser)).toMatchObject({
      standing: 'approved',
      offer: { name: 'Al Hill', sharePercent: 20 },
    });
    const answers = await Promise.all(
      [1, 2].map(() => app.call('affiliates.claim', { acceptsTerms: true }, owner.browser)),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const own = await mine(owner.browser);
    expect(own).toMatchObject({ standing: 'partner', partner: { state: 'approved', clicks: 0, payouts: [] } });
    expect(own.partner.link).toBe(`http://localhost:3000/signup?ref=${own.partner.code}`);
    expect(own.partner.code).toMatch(/^[A-HJ-NP-Z2-9]{8}$/);
    expect(await readRow(app, 'select email from affiliates where id = $1', [id]), 'the account has it').toEqual({
      email: '',
    });
  });

  it('is rejected with a reason that is mailed', async () => {
    const { id, email } = await apply();
    expect((await ask('reject', { affiliateId: id, reason: ' ' })).status).toBe(422);
    await ask('reject', { affiliateId: id, reason: 'We look for people who write about safety.' });
    expect((await readEmail(app, email)).text).toContain('We look for people who write about safety.');
    expect(await show(id)).toMatchObject({ state: 'rejected', code: null });
  });
});

describe('a partner', () => {
  it('is paused with a reason, counts nobody meanwhile, and goes on', async () => {
    const { id, code } = partner;
    await ask('pause', { affiliateId: id, reason: 'Your posts are not marked as ads.' });
    expect((await mine(await signInQuickly(app, partner.userId))).partner).toMatchObject({
      state: 'paused',
      note: 'Your posts are not marked as ads.',
    });
    expect(await listTemplates(app, partner.email)).toContain('partner_paused');
    const person = await signUpIn(app, await follow(app, code));
    expect(await readRows(app, 'select 1 from affiliate_referrals where user_id = $1', [person.userId])).toEqual([]);
    await ask('resume', { affiliateId: id });
    await bring(app, partner);
    expect((await audited(id)).map(({ action }) => action)).toEqual(
      expect.arrayContaining(['affiliate.paused', 'affiliate.approved']),
    );
  });

  it('is closed for good with a reason: it counts nobody, and what was paid before is still shared', async () => {
    const closing = await makePartner(app, 'closing@example.com');
    const { id, code, userId } = closing;
    const before = await bring(app, closing);
    await payBill(app, before);
    advance(app, 1000);
    await ask('close', { affiliateId: id, reason: 'You asked us to.' });
    const { partner: own } = await mine(await signInQuickly(app, userId));
    expect(own).toMatchObject({ state: 'closed', note: 'You asked us to.' });
    const person = await signUpIn(app, await follow(app, code));
    expect(await readRows(app, 'select 1 from affiliate_referrals where user_id = $1', [person.userId])).toEqual([]);
    advance(app, 1000);
    await payBill(app, before);
    expect((await show(id)).pendingCents).toBe(80);
    for (const act of ['resume', 'approve']) expect((await ask(act, { affiliateId: id })).status).toBe(409);
    expect((await audited(id)).at(-1)).toMatchObject({ action: 'affiliate.closed' });
    expect(await listTemplates(app, 'closing@example.com')).toContain('partner_closed');
  });

  it('gets another share, which stands in the log', async () => {
    const { id } = partner;
    expect((await ask('changeShare', { affiliateId: id, sharePercent: 51 })).status).toBe(422);
    await ask('changeShare', { affiliateId: id, sharePercent: 30 });
    expect(await show(id)).toMatchObject({ sharePercent: 30 });
    expect((await audited(id)).at(-1)).toEqual({
      action: 'affiliate.share_changed',
      by: 'admin',
      details: { fromBps: 2000, toBps: 3000 },
    });
    await ask('changeShare', { affiliateId: id, sharePercent: 20 });
  });

  it('is looked at where cards are alike, devices are their own, or many are void', async () => {
    const other = await makePartner(app, `hints-${++n}@example.com`);
    const people = [await bring(app, other), await bring(app, other), await bring(app, other)];
    for (const person of people) await payBill(app, person);
    await readRows(
      app,
      `update platform_subscriptions set card_brand = 'visa', card_last4 = '4242' where user_id = any($1)`,
      [people.slice(0, 2).map(({ userId }) => userId)],
    );
    const { referrals } = await show(other.id);
    for (const { id } of referrals.slice(0, 2))
      await ask('voidReferral', { referralId: id, reason: 'brand_ads', note: '' });
    const { hints, referrals: after } = await show(other.id);
    expect(hints).toEqual(
      expect.arrayContaining([
        '2 of 3 referrals are void',
        expect.stringMatching(/^2 with a card that ends like another/),
      ]),
    );
    expect(after.filter(({ voidReason }: { voidReason: string | null }) => voidReason === 'brand_ads')).toHaveLength(2);
  });

  it('is paid by the desk as by the command line', async () => {
    await writeSettings(app, { 'affiliates.payoutCents': 80 });
    await payBill(app, await bring(app, partner));
    await waitDays(app, 31);
    desk = await signInQuickly(app, admin.userId);
    const plan = await must(app, 'adminAffiliates.planRun', {}, desk);
    expect(plan).toMatchObject({ totalCents: plan.lines.length * 80, leastCents: 80 });
    const order = { verb: 'pay', id: undefined, reason: undefined, percent: undefined, total: undefined };
    expect(await runAffiliates(app.engines, order)).toContain(`--total ${plan.totalCents}`);
    const run = { partners: plan.lines.length, totalCents: plan.totalCents };
    const answers = await Promise.all([ask('makeRun', run), ask('makeRun', run)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const { lines } = await must(app, 'adminAffiliates.runs', {}, desk);
    const line = lines.find(({ affiliateId }: { affiliateId: string }) => affiliateId === partner.id);
    expect((await ask('settleLine', { payoutId: line.id, paidCents: 81, note: '' })).status, 'not its amount').toBe(
      409,
    );
    expect((await ask('settleLine', { payoutId: line.id, paidCents: 80, note: '' })).status).toBe(200);
    expect((await ask('settleLine', { payoutId: line.id, paidCents: 80, note: '' })).status).toBe(409);
    expect(await runAffiliates(app.engines, { ...order, verb: 'runs' })).toContain('Jo Rivers <jo@example.com>, paid');
  });

  it('sees how many came, and nothing of who they are', async () => {
    const person = await bring(app, partner);
    await payBill(app, person);
    const seen = JSON.stringify(await mine(await signInQuickly(app, partner.userId)));
    for (const secret of [person.userId, person.email, 'in_', 'sub_']) expect(seen).not.toContain(secret);
    const asPartner = <Row extends object>(table: string) =>
      app.engines.database.work({ kind: 'user', userId: partner.userId }, async ({ client }) => {
        const { rows } = await client.query<Row>(`select * from ${table}`);
        return rows;
      });
    expect(await asPartner('affiliates')).toMatchObject([{ id: partner.id }]);
    for (const table of ['affiliate_referrals', 'affiliate_clicks', 'commissions', 'affiliate_payouts'])
      await expect(asPartner(table)).rejects.toMatchObject({ code: '42501' });
  });
});

it('a creator, and an administrator of another scope, see no partner', async () => {
  expect((await ask('list', {}, newBrowser())).status).toBe(401);
  expect((await ask('list', {}, await signInQuickly(app, partner.userId))).status).toBe(403);
  await readRows(app, `update user_roles set scopes = '{support,moderation}'`);
  expect((await ask('planRun', {}, await signInQuickly(app, admin.userId))).status).toBe(403);
  await readRows(app, `update user_roles set scopes = '{owner}'`);
});
