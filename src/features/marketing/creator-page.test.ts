import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { waitAfterMany } from '#features/accounts/rules.ts';
import { addTier } from '#tests/support/money/passes.ts';
import { connectPayouts } from '#tests/support/money/selling.ts';
import { advance, confirmPerson, must, type Person, readRows, signUpCreator } from '#tests/support/people.ts';
import { headersOf, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { notFound } from './not-found-words.ts';

const pageHead = '<link rel="stylesheet" href="/assets/root.css">';
const creatorScript = '/assets/creator-script-1.js';
let app: TestApp;
let mara: Person;
let looks = 0;
beforeAll(async () => {
  app = await openTestApp({ workJobs: false, server: { pageHead, creatorScript } });
  mara = await signUpCreator(app);
  await app.call('accounts.updateProfile', profile, mara.browser);
});
afterAll(() => app.close());

const profile = {
  displayName: 'Mara <b>"&\'',
  handle: 'mara_lights',
  bio: 'Sea & sand.\n<script>alert(1)</script>',
  country: 'DE',
  timeZone: 'Europe/Berlin',
};
const look = (path: string) =>
  app.fastify.inject({ method: 'GET', url: path, remoteAddress: `10.9.${++looks >> 8}.${looks & 255}` });
const setPage = (isOn: boolean, person = mara) => app.call('accounts.setPublicPage', { isOn }, person.browser);
const change = (columns: string, userId = mara.userId) =>
  readRows(app, `update users set ${columns} where id = '${userId}'`);
/** All that a stranger can tell two answers apart by. */
const reported = ({ statusCode, body, headers }: Awaited<ReturnType<typeof look>>) => {
  const { date, ...rest } = headers;
  return JSON.stringify([statusCode, body, rest]);
};

describe('the public page', () => {
  it('is off until she opens it, and is gone when she closes it', async () => {
    expect((await look('/@mara_lights')).statusCode).toBe(404);
    expect((await setPage(true)).status).toBe(200);
    expect((await look('/@mara_lights')).statusCode).toBe(200);
    expect((await app.call('accounts.me', {}, mara.browser)).body.user.hasPublicPage).toBe(true);
    await setPage(false);
    expect((await look('/@mara_lights')).statusCode).toBe(404);
    await setPage(true);
  });

  it('shows name, handle and bio as text, whatever stands in them, in a page without any script', async () => {
    const { body, headers } = await look('/@Mara_Lights');
    expect(body).toContain('<h1 class="text-38 text-balance wrap-anywhere">Mara &lt;b&gt;&quot;&amp;&#39;</h1>');
    expect(body).toContain('@mara_lights');
    expect(body).toContain('Sea &amp; sand.\n&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(body).not.toMatch(/<script|<b>|\son[a-z]+=|\sstyle=/);
    expect(body).toContain(pageHead);
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'self'; .*img-src 'self';/);
    expect(headers['content-security-policy']).not.toContain('script-src');
  });

  it('begins with her first letter, also when that is no letter', async () => {
    await change(`display_name = '🌊 Mara'`);
    expect((await look('/@mara_lights')).body).toContain('>🌊</span>');
    await change(`display_name = 'Mara'`);
  });

  it('lists no album and no link, and asks search engines to leave it out', async () => {
    const { body, headers } = await look('/@mara_lights');
    expect(body).not.toMatch(/\/view\/|\/albums/);
    expect(body).toContain('<meta name="robots" content="noindex">');
    expect(headers).toMatchObject({ 'x-robots-tag': 'noindex', 'cache-control': 'no-store' });
  });

  it('shows her picture when she has one', async () => {
    expect((await look('/@mara_lights')).body).not.toContain('<img');
    const payload = await sharp({ create: { width: 40, height: 40, channels: 3, background: '#a53' } })
      .png()
      .toBuffer();
    const headers = { ...headersOf(mara.browser), origin: 'http://localhost:3000', host: 'localhost:3000' };
    const sent = await app.fastify.inject({ method: 'PUT', url: '/api/profile/avatar', headers, payload });
    expect((await look('/@mara_lights')).body).toContain(`<img src="${sent.json().url}" alt=""`);
  });
});

describe('what is sold on it', () => {
  it('is nothing while she cannot be paid; then a tip, price first, whose form comes with the first tap', async () => {
    const accountId = await connectPayouts(app, mara);
    const { body, headers } = await look('/@mara_lights');
    expect(body).toContain('$5 or more, by card. No account needed.');
    expect(body).toContain(`<script type="module" src="${creatorScript}"></script>`);
    expect(body).toMatch(/<button type="button" hidden [^>]*>Send a tip</);
    expect(body.match(/<script/g)).toHaveLength(1);
    expect(headers['content-security-policy']).toContain("script-src 'self'; connect-src 'self';");
    const tierId = await addTier(app, mara, '<b>Inner</b> circle');
    const selling = (await look('/@mara_lights')).body;
    expect(selling).toMatch(
      /\$9\.99<span[^>]*> a month<\/span><\/p>\n<h2 [^>]*>&lt;b&gt;Inner&lt;\/b&gt; circle<\/h2>/,
    );
    const wishOf = (months: number, priceCents: number) =>
      JSON.stringify({ handle: 'mara_lights', tierId, months, priceCents }).replaceAll('"', '&quot;');
    expect(selling).toContain(`<div data-tier="${wishOf(1, 999)}"`);
    expect(selling).not.toContain('3 months');
    const tier = { tierId, name: 'Inner', priceCents: 999, off3: 10 };
    await must(app, 'fans.changeTier', tier, mara.browser);
    const longer = (await look('/@mara_lights')).body;
    expect(longer).toContain(`<div data-tier="${wishOf(3, 2697)}"`);
    expect(longer).toContain('$26.97 for 3 months, save $3<');
    await app.engines.sandbox?.answerOnboarding(accountId, false);
    await app.call('money.checkAccount', {}, mara.browser);
    const closed = await look('/@mara_lights');
    expect(closed.body).not.toMatch(/<script|data-ti|Send a tip|a month/);
    expect(closed.headers['content-security-policy']).not.toContain('script-src');
  });
});

describe('every other handle', () => {
  it('says the same as one that nobody has: off, not set up, suspended, leaving, without a plan, not a handle at all', async () => {
    const nobody = await look('/@nobody_at_all');
    expect([
      nobody.statusCode,
      nobody.body.includes(`<h1 class="text-28 md:text-38">${notFound.headline}</h1>`),
    ]).toEqual([404, true]);
    const unfinished = await confirmPerson(app);
    await change(`handle = 'not_finished', has_public_page = true`, unfinished.userId);
    const closed = await signUpCreator(app);
    await change(`handle = 'closed_page'`, closed.userId);
    for (const handle of ['not_finished', 'closed_page', 'admin', 'x', 'Ä', '..%2f', '%00', 'a'.repeat(200)])
      expect([handle, reported(await look(`/@${handle}`))]).toEqual([handle, reported(nobody)]);
    const back = `status = 'active', subscription_status = 'trialing'`;
    for (const state of [
      `status = 'suspended'`,
      `status = 'deleting'`,
      `status = 'deleted'`,
      `subscription_status = 'inactive'`,
      `subscription_status = null`,
      `subscription_status = 'canceled'`,
    ]) {
      await change(state);
      expect([state, reported(await look('/@mara_lights'))]).toEqual([state, reported(nobody)]);
      await change(back);
    }
    expect((await look('/@mara_lights')).statusCode).toBe(200);
    advance(app, 8 * 86_400_000);
    expect(reported(await look('/@mara_lights')), 'the trial is over at its instant').toBe(reported(nobody));
    await change('is_free_user = true');
    expect((await look('/@mara_lights')).statusCode).toBe(200);
  });

  it('one network that looks very often only waits longer', async () => {
    const from = (url: string) => app.fastify.inject({ method: 'GET', url, remoteAddress: '10.77.0.1' });
    for (let n = 0; n < 299; n++) await from('/@nobody_at_all');
    const timers = vi.spyOn(globalThis, 'setTimeout');
    const waits = () => timers.mock.calls.filter(([, ms]) => ms === waitAfterMany(301, 300)).length;
    expect([(await from('/@mara_lights')).statusCode, waits()]).toEqual([200, 0]);
    expect([(await from('/@mara_lights')).statusCode, waits()]).toEqual([200, 1]);
  });
});

it('nobody opens the page of an account that is not set up', async () => {
  const { browser } = await confirmPerson(app);
  expect((await app.call('accounts.setPublicPage', { isOn: true }, browser)).status).toBe(403);
  expect((await app.call('accounts.setPublicPage', { isOn: true })).status).toBe(401);
});
