import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { takeRate } from '#features/audit/store.ts';
import { listEmails } from '#features/notices/store.ts';
import { must, pass, readRow, readRows } from '#tests/support/people.ts';
import { type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { type Browser, newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { networkMailsKey } from './email-gate.ts';

let app: TestApp;
let shared: SharedAlbum;
let people = 0;
beforeAll(async () => {
  app = await openTestApp();
  shared = await shareAlbum(app, { count: 1 });
});
afterAll(() => app.close());
beforeEach(() => app.setNow(new Date(Date.parse('2026-11-21T12:00:00Z') + people++ * 60_000).toISOString()));

const newEmail = () => `viewer-${people++}@example.com`;
type Link = { id: string; slug: string };
const asking = (allow: string[] = [], rules: object = {}) =>
  shared.makeLink({ email: { verify: true, allow }, ...rules });
const open = ({ slug }: Link, body: object, browser: Browser) => shared.viewerApi.tap(slug, body, browser);

async function codesFor(address: string): Promise<string[]> {
  const emails = await app.engines.database.work({ kind: 'system' }, (tx) => listEmails(tx, 1000));
  const codes = emails.filter(({ to, template }) => to === address && template === 'proof_code');
  return codes.map(({ text }) => text.match(/\d{6}/)?.[0] ?? '');
}

const otherThan = (code: string) => (code === '000000' ? '111111' : '000000');

/** Types an address and the code that comes. @returns what the link answers */
async function prove(link: Link, address: string, browser: Browser, more: object = {}) {
  expect((await open(link, { ...more, email: address }, browser)).refusal?.reason).toBe('NEED_EMAIL_CODE');
  const [emailCode] = await codesFor(address);
  return open(link, { ...more, emailCode }, browser);
}

/** A browser that has been at the link's door. */
async function comer(link: Link, body: object = {}): Promise<Browser> {
  const browser = newBrowser();
  await open(link, body, browser);
  return browser;
}

const viewersOf = (link: Link) =>
  readRows<{ viewer_id: string }>(app, 'select viewer_id from link_viewers where link_id = $1', [link.id]);

describe('a link that asks for an address', () => {
  it('opens with the code that was sent to it, and never asks this viewer again', async () => {
    const link = await asking();
    const browser = newBrowser();
    expect((await open(link, {}, browser)).refusal).toMatchObject({
      reason: 'NEED_EMAIL',
      title: 'Who is this for?',
      text: 'Enter your e-mail – we send a 6-digit code.',
    });
    const email = newEmail();
    expect((await open(link, { email: ` ${email.toUpperCase()} ` }, browser)).refusal).toMatchObject({
      reason: 'NEED_EMAIL_CODE',
      title: 'Check your email',
      text: "We've sent you a 6-digit code. It works for 10 minutes.",
    });
    expect((await open(link, {}, browser)).refusal?.reason, 'a reload goes on with the code').toBe('NEED_EMAIL_CODE');
    const [code = ''] = await codesFor(email);
    const opened = await open(link, { emailCode: `${code.slice(0, 3)} ${code.slice(3)}` }, browser);
    expect(opened.head?.visitId).toBeDefined();
    expect((await open(link, {}, browser)).head?.visitId).toBeDefined();
    const another = await asking([email]);
    expect((await open(another, {}, browser)).head?.visitId, 'the same creator asks once').toBeDefined();
  });

  it('lets in whom it is for, and tells everybody else only after their address is proven', async () => {
    const email = newEmail();
    const link = await asking([email, '@team.example']);
    const [friend, colleague, stranger] = await Promise.all([comer(link), comer(link), comer(link)]);
    const typed = await open(link, { email: 'nobody@elsewhere.example' }, stranger);
    const known = await open(link, { email: 'ann@team.example' }, colleague);
    expect({ ...typed.refusal }).toEqual({ ...known.refusal });
    const [code] = await codesFor('nobody@elsewhere.example');
    expect((await open(link, { emailCode: code }, stranger)).refusal).toMatchObject({
      reason: 'EMAIL_NOT_ALLOWED',
      title: 'This link was made for someone else.',
    });
    expect((await open(link, {}, stranger)).refusal?.reason).toBe('EMAIL_NOT_ALLOWED');
    const [colleagues] = await codesFor('ann@team.example');
    expect((await open(link, { emailCode: colleagues }, colleague)).head?.visitId).toBeDefined();
    expect((await prove(link, email, friend)).head?.visitId).toBeDefined();
  });

  it('takes another address from whom it was not for', async () => {
    const right = newEmail();
    const link = await asking([right]);
    const browser = await comer(link);
    expect((await prove(link, newEmail(), browser)).refusal?.reason).toBe('EMAIL_NOT_ALLOWED');
    expect((await prove(link, right, browser)).head?.visitId).toBeDefined();
  });

  it('tells its creator once a day that an address was wrong, and not which', async () => {
    const link = await asking(['@team.example']);
    const wrong = newEmail();
    const browser = await comer(link);
    await prove(link, wrong, browser);
    await prove(link, newEmail(), browser);
    await open(link, {}, browser);
    const told = await readRows<{ about: object }>(app, `select about from notices where event = 'wrong_address'`);
    const ofLink = told.filter(({ about }) => JSON.stringify(about).includes(link.id));
    expect(ofLink).toEqual([{ about: { linkId: link.id } }]);
    await pass(app, 86_400_000);
    await prove(link, newEmail(), browser);
    expect(await readRows(app, `select from notices where about->>'linkId' = $1`, [link.id])).toHaveLength(2);
  });

  it('shuts out at the next lease whom its creator takes from the list', async () => {
    const email = newEmail();
    const link = await asking([email]);
    const browser = await comer(link);
    const { head } = await prove(link, email, browser);
    const visitId = head?.visitId ?? '';
    const renew = () => app.call('viewing.renew', { visitId, samples: [], idleMs: 0 }, browser);
    expect((await renew()).status).toBe(200);
    const rules = { ageGate: false, email: { verify: true, allow: ['@elsewhere.example'] } };
    await must(app, 'links.update', { linkId: link.id, rules }, shared.creator.browser);
    expect((await renew()).body.data).toMatchObject({ reason: 'EMAIL_NOT_ALLOWED' });
  });
});

describe('a code', () => {
  it('works in the browser that asked for it, at its link, once, within ten minutes and five tries', async () => {
    const [link, another] = [await asking(), await asking()];
    const browser = await comer(link);
    const email = newEmail();
    await open(link, { email }, browser);
    const [code = ''] = await codesFor(email);
    expect((await open(link, { emailCode: code }, await comer(link))).refusal?.reason).toBe('NEED_EMAIL');
    expect((await open(another, { emailCode: code }, browser)).refusal?.reason).toBe('NEED_EMAIL');
    for (const left of ['4 tries', '3 tries', '2 tries', '1 try', '0 tries'])
      expect((await open(link, { emailCode: otherThan(code) }, browser)).refusal?.text).toBe(
        `That's not it. ${left} left.`,
      );
    expect((await open(link, { emailCode: code }, browser)).refusal).toMatchObject({
      reason: 'NEED_EMAIL',
      text: 'This code no longer works. Enter your email for a new one.',
    });
    await pass(app, 31_000);
    await open(link, { email }, browser);
    const [second] = await codesFor(email);
    await pass(app, 600_000);
    expect((await open(link, { emailCode: second }, browser)).refusal?.reason).toBe('NEED_EMAIL');
  });

  it('of many that are typed at once lets five be tried', async () => {
    const link = await asking();
    const browser = await comer(link);
    const email = newEmail();
    await open(link, { email }, browser);
    const [code = ''] = await codesFor(email);
    const guesses = await Promise.all(
      Array.from({ length: 12 }, () => open(link, { emailCode: otherThan(code) }, browser)),
    );
    expect(guesses.filter(({ refusal }) => refusal?.reason === 'NEED_EMAIL_CODE')).toHaveLength(5);
    expect((await open(link, { emailCode: code }, browser)).refusal?.reason).toBe('NEED_EMAIL');
  });

  it('is sent once in half a minute and at most 5 times an hour, by a browser that keeps cookies', async () => {
    const link = await asking();
    const browser = await comer(link);
    const email = newEmail();
    expect((await open(link, { email }, browser)).status).toBe(200);
    const soon = await open(link, { email }, await comer(link));
    expect([soon.status, JSON.parse(soon.text).data.reason]).toEqual([429, 'JUST_SENT']);
    for (let n = 0; n < 6; n++) {
      await pass(app, 31_000);
      await open(link, { email }, browser);
    }
    expect(await codesFor(email)).toHaveLength(5);
    const elsewhere = await asking();
    await pass(app, 31_000);
    expect((await open(elsewhere, { email }, browser)).status, 'another link has its own').toBe(200);
    const once = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'forgetful@example.com' }),
    };
    const forgetful = await shared.viewerApi.fetch(`/api/view/${link.slug}/open`, once, newBrowser());
    expect(await forgetful.json()).toMatchObject({ reason: 'NEED_COOKIE' });
    expect(await codesFor('forgetful@example.com')).toEqual([]);
  });

  it('cannot be sent to hundreds of people by one network', async () => {
    const link = await asking();
    const browser = await comer(link);
    const sent = { key: networkMailsKey(app.engines, link.id, '127.0.0.1'), limit: 30, windowSeconds: 3600, cost: 29 };
    const now = new Date(app.engines.clock());
    await app.engines.database.work({ kind: 'system' }, (tx) => takeRate(tx, { ...sent, now }));
    const statuses: number[] = [];
    for (let n = 0; n < 3; n++) statuses.push((await open(link, { email: newEmail() }, browser)).status);
    expect(statuses).toEqual([200, 429, 429]);
    expect((await open(await asking(), { email: newEmail() }, browser)).status, 'for another link').toBe(200);
  });

  it('makes no row of a viewer before it is typed', async () => {
    const link = await asking();
    const browser = await comer(link);
    const count = async () => (await readRow<{ n: number }>(app, 'select count(*)::int as n from viewers')).n;
    const before = await count();
    await open(link, { email: newEmail() }, browser);
    expect(await count()).toBe(before);
  });
});

describe('an address in two browsers', () => {
  it('is one viewer: places, visits and the age that was said are theirs', async () => {
    const email = newEmail();
    const link = await asking([email], { maxViewers: 1, ageGate: true, maxVisits: 2 });
    const [first, second] = await Promise.all([comer(link), comer(link)]);
    const isAdult = true;
    await open(link, { isAdult }, first);
    expect((await prove(link, email, first, { isAdult })).head?.visitId).toBeDefined();
    await pass(app, 60_000);
    expect((await open(link, { isAdult }, second)).refusal?.reason).toBe('NEED_EMAIL');
    expect((await prove(link, email, second)).head?.visitId).toBeDefined();
    expect(await viewersOf(link)).toHaveLength(1);
    await pass(app, 3_600_000);
    expect((await open(link, {}, first)).refusal).toMatchObject({
      reason: 'VISITS_USED',
      title: 'You have used all 2 visits',
    });
  });

  it('stays two viewers where both have a past, until one comes to a link that knows the other', async () => {
    const [email, free] = [newEmail(), await shared.makeLink()];
    const [one, two] = [newBrowser(), newBrowser()];
    for (const browser of [one, two]) expect((await open(free, {}, browser)).head?.visitId).toBeDefined();
    const [link, another] = [await asking(), await asking()];
    expect((await prove(link, email, one)).head?.visitId).toBeDefined();
    await pass(app, 60_000);
    expect((await prove(another, email, two)).head?.visitId).toBeDefined();
    const [[first], [second]] = [await viewersOf(link), await viewersOf(another)];
    expect(second?.viewer_id).not.toBe(first?.viewer_id);
    expect((await open(free, {}, two)).head?.visitId, 'what was open stays open').toBeDefined();
    expect(await viewersOf(free)).toHaveLength(2);
  });

  it('keeps what the second had asked for and been given, when it becomes the viewer of the first', async () => {
    const [email, gated] = [newEmail(), await asking()];
    expect((await prove(gated, email, await comer(gated))).head?.visitId).toBeDefined();
    const asks = await shared.makeLink({ offers: [{ id: 'ask', all: [{ kind: 'approval' }] }] });
    const second = await comer(asks);
    const accessRequest = { name: 'Bob', message: '' };
    expect((await open(asks, { accessRequest }, second)).refusal?.reason).toBe('APPROVAL_PENDING');
    await pass(app, 60_000);
    await open(gated, {}, second);
    expect((await prove(gated, email, second)).head?.visitId).toBeDefined();
    expect((await open(asks, {}, second)).refusal?.reason).toBe('APPROVAL_PENDING');
    const { requests } = await must(app, 'access.requests', {}, shared.creator.browser);
    const mine = requests.find(({ link }: { link: Link }) => link.id === asks.id);
    await must(app, 'access.approve', { requestId: mine?.id }, shared.creator.browser);
    expect((await open(asks, {}, second)).head?.visitId).toBeDefined();
  });

  it('is blocked in both, once its viewer is', async () => {
    const link = await asking();
    const email = newEmail();
    const first = await comer(link);
    await prove(link, email, first);
    const [viewer] = await viewersOf(link);
    await readRows(app, `insert into viewer_blocks (creator_id, viewer_id, at) values ($1, $2, now())`, [
      shared.creator.userId,
      viewer?.viewer_id,
    ]);
    await pass(app, 60_000);
    const another = await asking();
    const second = await comer(another);
    expect((await prove(another, email, second)).refusal?.reason).toBe('NOT_FOUND');
  });

  it('proven at the same moment is one viewer', async () => {
    const link = await asking([], { maxViewers: 1 });
    const email = newEmail();
    const browsers = [await comer(link), await comer(link)];
    const codes: (string | undefined)[] = [];
    for (const browser of browsers) {
      await open(link, { email }, browser);
      codes.push((await codesFor(email))[0]);
      await pass(app, 31_000);
    }
    const both = await Promise.all(browsers.map((browser, n) => open(link, { emailCode: codes[n] }, browser)));
    expect(both.map(({ head }) => head?.visitId !== undefined)).toEqual([true, true]);
    expect(await viewersOf(link)).toHaveLength(1);
  });

  it('is one viewer, too, when the first is written down after it was looked up whose address it is', async () => {
    const link = await asking([], { maxViewers: 1 });
    const email = newEmail();
    const browser = await comer(link);
    await open(link, { email }, browser);
    const [emailCode] = await codesFor(email);
    const waits = `select 1 from pg_locks where relation = 'viewer_devices'::regclass and not granted`;
    const opening = await app.engines.database.work({ kind: 'system' }, async ({ client }) => {
      await client.query('lock table viewer_devices in share row exclusive mode');
      const result = open(link, { emailCode }, browser);
      await expect.poll(async () => (await readRows(app, waits)).length, { timeout: 10_000 }).toBe(1);
      await client.query(
        'insert into viewers (id, email, email_verified_at, created_at, last_seen_at) values (gen_random_uuid(), $1, $2, $2, $2)',
        [email, new Date(app.engines.clock())],
      );
      // Not awaited: it goes on when this transaction ends.
      return { result };
    });
    expect((await opening.result).head?.visitId).toEqual(expect.any(String));
    expect(await readRows(app, 'select 1 from viewers where email = $1', [email])).toHaveLength(1);
    const owners = await readRows(
      app,
      'select v.email from link_viewers a join viewers v on v.id = a.viewer_id where a.link_id = $1',
      [link.id],
    );
    expect(owners).toEqual([{ email }]);
  });
});
