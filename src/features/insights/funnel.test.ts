import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { earnedIn } from '#features/money/earning-rules.ts';
import { firstCookieName } from '#features/viewing/viewer-cookie.ts';
import { foldAllViews } from '#tests/support/database/fold-views.ts';
import { comeBy } from '#tests/support/looks.ts';
import { type DisputeWorld, openDisputeWorld } from '#tests/support/money/disputing.ts';
import { post } from '#tests/support/money/selling.ts';
import { must, readRows, signUpCreator } from '#tests/support/people.ts';
import { type Browser, newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { phone } from '#tests/support/viewer-api.ts';
import { forgetOldVisits } from './jobs.ts';

let app: TestApp;
let world: DisputeWorld;
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  world = await openDisputeWorld(app);
});
afterAll(() => app.close());

const person = () => newBrowser({ 'user-agent': phone });
/** Taps Open, and is shown what is said, as the viewer app does. */
async function tap(slug: string, browser: Browser, body: object = {}): Promise<string | undefined> {
  const { body: said } = await post(app, `/api/view/${slug}/open`, body, browser);
  if (said?.code === 'LINK') await show(slug, browser, said.reason);
  return said?.reason;
}
const show = (slug: string, browser: Browser, reason: string) =>
  post(app, `/api/view/${slug}/gate?reason=${reason}`, {}, browser);
const funnelOf = (linkId?: string, from: Browser = world.creator.browser, days = 7) =>
  must(app, 'insights.funnel', { days, ...(linkId !== undefined && { linkId }) }, from);
const atGates = async (linkId: string) => {
  const rows = await readRows(app, 'select is_at_gate from gate_visitors where link_id = $1', [linkId]);
  return rows.length;
};
/** Waits until what was noted is written: within a second. */
const written = (linkId: string, count: number) =>
  vi.waitFor(async () => expect(await atGates(linkId)).toBe(count), { timeout: 5000 });
const makeGated = () => world.shared.makeLink({ ageGate: true }, { expiry: { kind: 'never' } });

describe('how far people came by a link', () => {
  it('counts each browser once at every step, and takes whoever is let in from the gates', async () => {
    const { id, slug } = await makeGated();
    const [stays, goesIn, comesTwice] = [person(), person(), person()];
    for (const browser of [stays, goesIn, comesTwice, comesTwice]) expect(await tap(slug, browser)).toBe('NEED_AGE');
    await written(id, 3);
    expect(await funnelOf(id)).toEqual({ tapped: 3, atGates: 3, letIn: 0, viewed: 0, paid: 0 });
    expect(await tap(slug, goesIn, { isAdult: true })).toBeUndefined();
    expect(await funnelOf(id)).toEqual({ tapped: 3, atGates: 3, letIn: 1, viewed: 0, paid: 0 });
    await foldAllViews(app.engines);
    expect(await funnelOf(id)).toEqual({ tapped: 3, atGates: 3, letIn: 1, viewed: 0, paid: 0 });
    // Who was let in once and meets a gate again is counted by the visit.
    await show(slug, goesIn, 'NEED_AGE');
    await show(slug, person(), 'NEED_AGE');
    await tap(slug, comesTwice);
    const last = person();
    await tap(slug, last);
    await written(id, 3);
    expect(await funnelOf(id)).toEqual({ tapped: 4, atGates: 4, letIn: 1, viewed: 0, paid: 0 });
  });

  it('tells who found a link that was over from who stood at its gates', async () => {
    const { id, slug } = await makeGated();
    await must(app, 'links.revoke', { linkIds: [id] }, world.creator.browser);
    const late = person();
    await tap(slug, late);
    await tap(slug, late);
    await written(id, 1);
    expect(await funnelOf(id)).toEqual({ tapped: 1, atGates: 0, letIn: 0, viewed: 0, paid: 0 });
  });

  it('takes a view and a payment from real rows, and an anonymous payment is tied to nobody', async () => {
    const sold = await world.sell();
    expect(await funnelOf(sold.linkId)).toMatchObject({ letIn: 1, viewed: 0, paid: 0 });
    const [visit] = await readRows<{ viewer: string; device: string; grant: string }>(
      app,
      'select viewer_id as viewer, device_id as device, admission_id as grant from viewer_sessions where link_id = $1',
      [sold.linkId],
    );
    const guest = {
      viewerId: visit?.viewer ?? '',
      deviceId: visit?.device ?? '',
      grants: new Map([[sold.linkId, visit?.grant ?? '']]),
    };
    const mediaId = world.shared.photos[0]?.mediaId ?? '';
    const at = new Date(app.engines.linkClock() + 11 * 60_000);
    app.setNow(new Date(at.getTime() + 10_000).toISOString());
    await comeBy(app, {
      linkId: sold.linkId,
      creatorId: world.creator.userId,
      viewer: guest,
      at,
      end: 'left',
      looks: [{ mediaId, ms: 4000 }],
    });
    const whole = { tapped: 1, atGates: 1, letIn: 1, viewed: 1, paid: 1 };
    expect(await funnelOf(sold.linkId)).toEqual(whole);
    await foldAllViews(app.engines);
    expect(await funnelOf(sold.linkId)).toEqual(whole);
    await readRows(app, 'update checkout_orders set is_anonymous = true where id = $1', [sold.orderId]);
    expect(await funnelOf(sold.linkId)).toEqual({ ...whole, paid: 0 });
    await readRows(app, `update checkout_orders set is_anonymous = false, state = 'refunded' where id = $1`, [
      sold.orderId,
    ]);
    expect(await funnelOf(sold.linkId)).toEqual({ ...whole, paid: 0 });
  });

  it('is told beside what a viewer has paid in all, without what went back or was anonymous, and what was earned', async () => {
    const sold = await world.sell({ cents: 5000 });
    const spent = async () => {
      const { viewers } = await must(app, 'insights.viewers', { days: 7, limit: 100 }, world.creator.browser);
      const isTheirs = ({ links }: { links: { linkId: string }[] }) =>
        links.some(({ linkId }) => linkId === sold.linkId);
      return viewers.filter(isTheirs).map(({ spentCents }: { spentCents: number }) => spentCents);
    };
    expect(await spent()).toEqual([5000]);
    const set = (change: string) => readRows(app, `update checkout_orders set ${change} where id = $1`, [sold.orderId]);
    await set(`refunded_cents = 2000, state = 'partially_refunded'`);
    expect(await spent()).toEqual([3000]);
    await set(`retired_at = now()`);
    expect(await spent()).toEqual([0]);
    await set(`retired_at = null, is_anonymous = true`);
    expect(await spent()).toEqual([0]);
    await set(`is_anonymous = false, refunded_cents = 0, state = 'paid'`);
    const earned = async (span: string) =>
      earnedIn((await must(app, 'money.chart', { span }, world.creator.browser)).parts);
    const { earnings } = await must(app, 'money.earnings', {}, world.creator.browser);
    expect(await earned('7d')).toBe(earnings.totalEarned);
    expect(await earned('365d')).toBe(earnings.lifetimeEarned);
    expect(earnings.totalEarned).toBeGreaterThan(0);
  });

  it('of all links is the sum of each of them, and no step is more than the one before', async () => {
    const ids = await readRows<{ id: string }>(app, 'select id from magic_links where user_id = $1', [
      world.creator.userId,
    ]);
    const each = await Promise.all(ids.map(({ id }) => funnelOf(id)));
    const all = await funnelOf();
    for (const step of Object.keys(all)) expect(each.reduce((sum, one) => sum + one[step], 0)).toBe(all[step]);
    const steps = [all.tapped, all.atGates, all.letIn, all.viewed, all.paid];
    expect(steps).toEqual(steps.toSorted((a, b) => b - a));
    expect(all.tapped).toBeGreaterThan(all.letIn);
  });

  it("is nobody else's to see, and their own has none of it", async () => {
    const { id } = await makeGated();
    const eve = await signUpCreator(app);
    expect((await app.call('insights.funnel', { days: 7, linkId: id }, eve.browser)).status).toBe(404);
    expect(await funnelOf(undefined, eve.browser)).toMatchObject({ tapped: 0, letIn: 0 });
  });
});

describe('who is not counted at a gate', () => {
  it('a browser without a cookie, a program, the creator and support make no row, whatever they send', async () => {
    const { id, slug } = await makeGated();
    const name = firstCookieName(app.engines);
    for (let n = 0; n < 20; n++) await show(slug, person(), 'NEED_AGE');
    const known = { cookies: new Map([[name, 'a'.repeat(43)]]) };
    await show(slug, { ...known, headers: { 'user-agent': 'curl/8.5.0' } }, 'NEED_AGE');
    const own = { ...world.creator.browser, headers: { 'user-agent': phone } };
    await post(app, `/api/view/${slug}/open`, {}, own);
    await show(slug, own, 'NEED_AGE');
    await tap(slug, person());
    await written(id, 1);
  });

  it('is bounded for a flood of made-up cookies, and costs little', async () => {
    const { id, slug } = await makeGated();
    const name = firstCookieName(app.engines);
    const flood = async (count: number, address: string) => {
      for (let n = 0; n < count; n++) {
        const cookie = `${address}-${n}`.replaceAll('.', '_').padEnd(43, 'x');
        await show(slug, { cookies: new Map([[name, cookie]]), headers: { 'user-agent': phone }, address }, 'NEED_AGE');
      }
    };
    await flood(300, '8.8.8.8');
    await written(id, 200);
    for (let network = 1; network < 8; network++) await flood(200, `9.9.${network}.9`);
    await written(id, 1000);
    const [size] = await readRows<{ bytes: number }>(
      app,
      `select pg_total_relation_size('gate_visitors')::int as bytes`,
    );
    expect(size?.bytes).toBeLessThan(1_000_000);
  });

  it('answers every slug alike, and refuses what is no reason', async () => {
    const { slug } = await makeGated();
    const answers = [await show(slug, person(), 'NEED_AGE'), await show('nobody-has-this', person(), 'NEED_AGE')];
    expect(answers.map(({ status }) => status)).toEqual([204, 204]);
    expect((await show(slug, person(), 'x'.repeat(200))).status).toBe(422);
  });

  it('is forgotten after 13 months', async () => {
    const { id, slug } = await makeGated();
    await tap(slug, person());
    await written(id, 1);
    await readRows(app, `update gate_visitors set last_at = last_at - interval '14 months' where link_id = $1`, [id]);
    await readRows(app, `update link_seen set last_at = last_at - interval '14 months'`);
    await forgetOldVisits(app.engines);
    expect([await atGates(id), await readRows(app, 'select 1 from link_seen')]).toEqual([0, []]);
  });
});
