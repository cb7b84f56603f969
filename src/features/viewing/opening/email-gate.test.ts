import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { takeRate } from '#features/audit/store.ts';
import { openEmailGates } from '#tests/support/email-gates.ts';
import { advance, must, readRow, readRows } from '#tests/support/people.ts';
import { type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { networkMailsKey } from './email-gate.ts';

let app: TestApp;
let shared: SharedAlbum;
let clocks = 0;
let gates: ReturnType<typeof openEmailGates>;
beforeAll(async () => {
  app = await openTestApp();
  shared = await shareAlbum(app, { count: 1 });
  gates = openEmailGates(app, shared);
});
afterAll(() => app.close());
beforeEach(() => app.setNow(new Date(Date.parse('2026-11-21T12:00:00Z') + clocks++ * 60_000).toISOString()));

const otherThan = (code: string) => (code === '000000' ? '111111' : '000000');

describe('a link that asks for an address', () => {
  it('opens with the code that was sent to it, and never asks this viewer again', async () => {
    const link = await gates.asking();
    const browser = newBrowser();
    expect((await gates.open(link, {}, browser)).refusal).toMatchObject({
      reason: 'NEED_EMAIL',
      title: 'Who is this for?',
      text: 'Enter your e-mail – we send a 6-digit code.',
    });
    const email = gates.newEmail();
    expect((await gates.open(link, { email: ` ${email.toUpperCase()} ` }, browser)).refusal).toMatchObject({
      reason: 'NEED_EMAIL_CODE',
      title: 'Check your email',
      text: "We've sent you a 6-digit code. It works for 10 minutes.",
    });
    expect((await gates.open(link, {}, browser)).refusal?.reason, 'a reload goes on with the code').toBe(
      'NEED_EMAIL_CODE',
    );
    const [code = ''] = await gates.codesFor(email);
    const opened = await gates.open(link, { emailCode: `${code.slice(0, 3)} ${code.slice(3)}` }, browser);
    expect(opened.head?.visitId).toBeDefined();
    expect((await gates.open(link, {}, browser)).head?.visitId).toBeDefined();
    const another = await gates.asking([email]);
    expect((await gates.open(another, {}, browser)).head?.visitId, 'the same creator asks once').toBeDefined();
  });

  it('lets in whom it is for, and tells everybody else only after their address is proven', async () => {
    const email = gates.newEmail();
    const link = await gates.asking([email, '@team.example']);
    const [friend, colleague, stranger] = await Promise.all([gates.comer(link), gates.comer(link), gates.comer(link)]);
    const typed = await gates.open(link, { email: 'nobody@elsewhere.example' }, stranger);
    const known = await gates.open(link, { email: 'ann@team.example' }, colleague);
    expect({ ...typed.refusal }).toEqual({ ...known.refusal });
    const [code] = await gates.codesFor('nobody@elsewhere.example');
    expect((await gates.open(link, { emailCode: code }, stranger)).refusal).toMatchObject({
      reason: 'EMAIL_NOT_ALLOWED',
      title: 'This link was made for someone else.',
    });
    expect((await gates.open(link, {}, stranger)).refusal?.reason).toBe('EMAIL_NOT_ALLOWED');
    const [colleagues] = await gates.codesFor('ann@team.example');
    expect((await gates.open(link, { emailCode: colleagues }, colleague)).head?.visitId).toBeDefined();
    expect((await gates.prove(link, email, friend)).head?.visitId).toBeDefined();
  });

  it('takes another address from whom it was not for', async () => {
    const right = gates.newEmail();
    const link = await gates.asking([right]);
    const browser = await gates.comer(link);
    expect((await gates.prove(link, gates.newEmail(), browser)).refusal?.reason).toBe('EMAIL_NOT_ALLOWED');
    expect((await gates.prove(link, right, browser)).head?.visitId).toBeDefined();
  });

  it('tells its creator once a day that an address was wrong, and not which', async () => {
    const link = await gates.asking(['@team.example']);
    const wrong = gates.newEmail();
    const browser = await gates.comer(link);
    await gates.prove(link, wrong, browser);
    await gates.prove(link, gates.newEmail(), browser);
    await gates.open(link, {}, browser);
    const reported = await readRows<{ about: object }>(app, `select about from notices where event = 'wrong_address'`);
    const ofLink = reported.filter(({ about }) => JSON.stringify(about).includes(link.id));
    expect(ofLink).toEqual([{ about: { linkId: link.id } }]);
    await advance(app, 86_400_000);
    await gates.prove(link, gates.newEmail(), browser);
    expect(await readRows(app, `select from notices where about->>'linkId' = $1`, [link.id])).toHaveLength(2);
  });

  it('shuts out at the next lease whom its creator takes from the list', async () => {
    const email = gates.newEmail();
    const link = await gates.asking([email]);
    const browser = await gates.comer(link);
    const { head } = await gates.prove(link, email, browser);
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
    const [link, another] = [await gates.asking(), await gates.asking()];
    const browser = await gates.comer(link);
    const email = gates.newEmail();
    await gates.open(link, { email }, browser);
    const [code = ''] = await gates.codesFor(email);
    expect((await gates.open(link, { emailCode: code }, await gates.comer(link))).refusal?.reason).toBe('NEED_EMAIL');
    expect((await gates.open(another, { emailCode: code }, browser)).refusal?.reason).toBe('NEED_EMAIL');
    for (const left of ['4 tries', '3 tries', '2 tries', '1 try', '0 tries'])
      expect((await gates.open(link, { emailCode: otherThan(code) }, browser)).refusal?.text).toBe(
        `That's not it. ${left} left.`,
      );
    expect((await gates.open(link, { emailCode: code }, browser)).refusal).toMatchObject({
      reason: 'NEED_EMAIL',
      text: 'This code no longer works. Enter your email for a new one.',
    });
    await advance(app, 31_000);
    await gates.open(link, { email }, browser);
    const [second] = await gates.codesFor(email);
    await advance(app, 600_000);
    expect((await gates.open(link, { emailCode: second }, browser)).refusal?.reason).toBe('NEED_EMAIL');
  });

  it('of many that are typed at once lets five be tried', async () => {
    const link = await gates.asking();
    const browser = await gates.comer(link);
    const email = gates.newEmail();
    await gates.open(link, { email }, browser);
    const [code = ''] = await gates.codesFor(email);
    const guesses = await Promise.all(
      Array.from({ length: 12 }, () => gates.open(link, { emailCode: otherThan(code) }, browser)),
    );
    expect(guesses.filter(({ refusal }) => refusal?.reason === 'NEED_EMAIL_CODE')).toHaveLength(5);
    expect((await gates.open(link, { emailCode: code }, browser)).refusal?.reason).toBe('NEED_EMAIL');
  });

  it('is sent once in half a minute and at most 5 times an hour, by a browser that keeps cookies', async () => {
    const link = await gates.asking();
    const browser = await gates.comer(link);
    const email = gates.newEmail();
    expect((await gates.open(link, { email }, browser)).status).toBe(200);
    const soon = await gates.open(link, { email }, await gates.comer(link));
    expect([soon.status, JSON.parse(soon.text).data.reason]).toEqual([429, 'JUST_SENT']);
    for (let n = 0; n < 6; n++) {
      await advance(app, 31_000);
      await gates.open(link, { email }, browser);
    }
    expect(await gates.codesFor(email)).toHaveLength(5);
    const elsewhere = await gates.asking();
    await advance(app, 31_000);
    expect((await gates.open(elsewhere, { email }, browser)).status, 'another link has its own').toBe(200);
    const once = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'forgetful@example.com' }),
    };
    const forgetful = await shared.viewerApi.fetch(`/api/view/${link.slug}/open`, once, newBrowser());
    expect(await forgetful.json()).toMatchObject({ reason: 'NEED_COOKIE' });
    expect(await gates.codesFor('forgetful@example.com')).toEqual([]);
  });

  it('cannot be sent to hundreds of people by one network', async () => {
    const link = await gates.asking();
    const browser = await gates.comer(link);
    const sent = { key: networkMailsKey(app.engines, link.id, '127.0.0.1'), limit: 30, windowSeconds: 3600, cost: 29 };
    const now = new Date(app.engines.clock());
    await app.engines.database.work({ kind: 'system' }, (tx) => takeRate(tx, { ...sent, now }));
    const statuses: number[] = [];
    for (let n = 0; n < 3; n++) statuses.push((await gates.open(link, { email: gates.newEmail() }, browser)).status);
    expect(statuses).toEqual([200, 429, 429]);
    expect(
      (await gates.open(await gates.asking(), { email: gates.newEmail() }, browser)).status,
      'for another link',
    ).toBe(200);
  });

  it('makes no row of a viewer before it is typed', async () => {
    const link = await gates.asking();
    const browser = await gates.comer(link);
    const count = async () => (await readRow<{ n: number }>(app, 'select count(*)::int as n from viewers')).n;
    const before = await count();
    await gates.open(link, { email: gates.newEmail() }, browser);
    expect(await count()).toBe(before);
  });
});
