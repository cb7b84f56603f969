import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { listEmails } from '#features/notices/store.ts';
import { type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { type Browser, newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { takePasswordTurn } from './password-store.ts';
import { networkKeyOf } from './password-tries.ts';

let app: TestApp;
let shared: SharedAlbum;
let link: { id: string; slug: string };
beforeAll(async () => {
  app = await openTestApp();
  shared = await shareAlbum(app, { count: 1 });
});
afterAll(() => app.close());

const password = 'blue orchard';
/** The network of every call of these tests. */
const network = '127.0.0.1';

/** Some while ago, so that nobody has to wait for their turn after them. */
async function guess(times: number, now = new Date('2026-11-21T11:50:00Z')): Promise<void> {
  const tries = { linkId: link.id, network: networkKeyOf(app.engines, link.id, network), version: 1 };
  for (let n = 0; n < times; n++) await takePasswordTurn(app.engines.database, tries, now);
}

/** A browser that keeps cookies and has been asked for an address. */
async function askedBrowser(): Promise<Browser> {
  const browser = newBrowser();
  expect((await open({}, browser)).refusal?.reason).toBe('NEED_EMAIL');
  return browser;
}

const open = (body: object, browser: Browser) => shared.viewerApi.tap(link.slug, body, browser);

async function codeFor(address: string): Promise<string> {
  const emails = await app.engines.database.work({ kind: 'system' }, (tx) => listEmails(tx, 100));
  const [newest] = emails.filter(({ to, template }) => to === address && template === 'proof_code');
  return newest?.text.match(/\d{6}/)?.[0] ?? '';
}

const otherThan = (code: string) => (code === '000000' ? '111111' : '000000');

beforeEach(async () => {
  app.setNow('2026-11-21T12:00:00Z');
  link = await shared.makeLink({}, { password });
});

describe('a network that has guessed 20 passwords of a link', () => {
  it('types on after an address was proven, and one that has not guessed is asked for nothing', async () => {
    await guess(19);
    const early = newBrowser();
    expect((await open({}, early)).refusal?.reason).toBe('NEED_PASSWORD');
    await guess(1);
    const browser = await askedBrowser();
    const right = await open({ password }, browser);
    expect(right.refusal, 'the password is not even looked at').toMatchObject({
      reason: 'NEED_EMAIL',
      text: "Many wrong passwords came from your network. Enter your email and we'll send you a 6-digit code.",
    });
    expect((await open({ email: 'Ann@Example.com' }, browser)).refusal).toMatchObject({
      reason: 'NEED_EMAIL_CODE',
      title: 'Check your email',
    });
    expect((await open({}, browser)).refusal?.reason, 'a reload goes on with the code').toBe('NEED_EMAIL_CODE');
    const code = await codeFor('ann@example.com');
    expect((await open({ emailCode: ` ${code.slice(0, 3)} ${code.slice(3)} ` }, browser)).refusal?.reason).toBe(
      'NEED_PASSWORD',
    );
    expect((await open({ password }, browser)).head?.visitId).toBeDefined();
  });

  it('proves it in the browser that asked, for this link, within ten minutes and five tries', async () => {
    await guess(20);
    const browser = await askedBrowser();
    await open({ email: 'bea@example.com' }, browser);
    const code = await codeFor('bea@example.com');
    const stranger = await askedBrowser();
    expect((await open({ emailCode: code }, stranger)).refusal?.reason).toBe('NEED_EMAIL');
    for (const left of ['4 tries', '3 tries', '2 tries', '1 try', '0 tries'])
      expect((await open({ emailCode: otherThan(code) }, browser)).refusal?.text).toBe(`That's not it. ${left} left.`);
    expect((await open({ emailCode: code }, browser)).refusal?.reason).toBe('NEED_EMAIL');

    app.setNow('2026-11-21T12:01:00Z');
    await open({ email: 'bea@example.com' }, browser);
    const second = await codeFor('bea@example.com');
    app.setNow('2026-11-21T12:11:00Z');
    expect((await open({ emailCode: second }, browser)).refusal?.reason).toBe('NEED_EMAIL');
  });

  it('has twenty passwords for one proof', async () => {
    await guess(20);
    const browser = await askedBrowser();
    await open({ email: 'cleo@example.com' }, browser);
    await open({ emailCode: await codeFor('cleo@example.com') }, browser);
    for (let n = 0; n < 20; n++) {
      // Every quarter of an hour a browser has five tries more.
      app.setNow(new Date(Date.parse('2026-11-21T12:00:00Z') + n * 200_000).toISOString());
      expect((await open({ password: 'wrong one' }, browser)).refusal?.reason).toBe('NEED_PASSWORD');
    }
    app.setNow('2026-11-21T14:00:00Z');
    expect((await open({ password }, browser)).refusal?.reason).toBe('NEED_EMAIL');
  });

  it('sends one email to an address in half a minute, and none to a browser that keeps no cookie', async () => {
    await guess(20);
    const once = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'dora@example.com' }),
    };
    const forgetful = await shared.viewerApi.fetch(`/api/view/${link.slug}/open`, once, newBrowser());
    expect(await forgetful.json()).toMatchObject({ reason: 'NEED_COOKIE' });
    expect(await codeFor('dora@example.com')).toBe('');
    const browser = await askedBrowser();
    expect((await open({ email: 'dora@example.com' }, browser)).status).toBe(200);
    const soon = await open({ email: 'dora@example.com' }, browser);
    expect([soon.status, JSON.parse(soon.text).data.reason]).toEqual([429, 'JUST_SENT']);
    expect((await open({ email: 'no address' }, browser)).status).toBe(422);
  });
});

describe('without wrong passwords', () => {
  it('nobody can have an email sent', async () => {
    const browser = newBrowser();
    await open({}, browser);
    expect((await open({ email: 'eve@example.com' }, browser)).refusal?.reason).toBe('NEED_PASSWORD');
    expect(await codeFor('eve@example.com')).toBe('');
  });

  it('and whoever was let in by the link before is asked for nothing', async () => {
    const friend = newBrowser();
    expect((await open({ password }, friend)).head?.visitId).toBeDefined();
    await guess(25);
    await app.call('links.update', { linkId: link.id, password: 'green orchard' }, shared.creator.browser);
    expect((await open({}, friend)).refusal?.reason).toBe('NEED_PASSWORD');
  });
});
