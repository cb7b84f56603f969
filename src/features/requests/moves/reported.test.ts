import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { PaymentsAway } from '#engines/payments/payments.ts';
import { runReleases } from '#features/held/releasing.ts';
import { findDrift, reconcile } from '#features/money/reconcile.ts';
import { syncObject } from '#features/money/sync-object.ts';
import { dayMs, hourMs } from '#kit/time.ts';
import { type Asked, askAtLink, emailsTo, payFor, takeRequests } from '#tests/support/money/requests.ts';
import { connectPayouts, fillAccount } from '#tests/support/money/selling.ts';
import { advance, must, readRow, readRows } from '#tests/support/people.ts';
import { type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { runRequestsCommand } from '../commands.ts';
import { tendRequests } from '../jobs.ts';

const operatorEmail = 'operator@example.com';
let app: TestApp;
let shared: SharedAlbum;
let accountId: string;

beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  Object.assign(app.engines.installation, { operatorEmail });
  app.engines.sandbox?.deliverTo(undefined);
  shared = await shareAlbum(app, { count: 1 });
  accountId = await connectPayouts(app, shared.creator);
  await takeRequests(app, shared.creator);
  await fillAccount(app, accountId);
});
afterAll(() => app.close());

async function deliveredTo(): Promise<Asked> {
  const asked = await askAtLink(app, shared);
  await must(app, 'requests.accept', { requestId: asked.id, days: 7 }, shared.creator.browser);
  await payFor(app, asked);
  await must(app, 'requests.deliver', { requestId: asked.id, albumId: shared.albumId }, shared.creator.browser);
  return asked;
}

/** A request that was delivered and accepted: its creator has their part. */
async function released(): Promise<Asked> {
  const asked = await deliveredTo();
  await must(app, 'requests.say', { code: asked.code, what: 'accept' }, asked.browser);
  return asked;
}

const words = 'Only half of it is there.';
const report = ({ code, browser }: Asked, more: object = {}) =>
  app.call('requests.report', { code, reason: 'not_agreed', text: words, ...more }, browser);
const show = ({ code, browser }: Asked) => must(app, 'requests.show', { code }, browser);
const showHer = ({ id }: Asked) => must(app, 'requests.one', { requestId: id }, shared.creator.browser);
const pf = (verb?: string, id?: string, note?: string, amount?: string) =>
  runRequestsCommand(app.engines, { verb, id, amount, note });
const mails = async (address: string) => (await emailsTo(app, address)).join('\n').replaceAll(/\s+/g, ' ');
const hers = async () => {
  const { available, pending } = await app.engines.payments.balance(accountId);
  return (available.get('usd') ?? 0) + (pending.get('usd') ?? 0);
};

it('what was released is reported once by whoever asked, both sides read it, and it waits for the operator', async () => {
  const asked = await released();
  expect(await show(asked)).toMatchObject({ state: 'released', reportUntil: expect.any(String) });
  expect((await report({ ...asked, browser: newBrowser() })).status, 'by anybody').toBe(404);
  expect((await report(asked, { text: ' ' })).status, 'without words').toBe(422);
  expect((await report(asked, { text: 'x'.repeat(501) })).status).toBe(422);
  expect((await report(asked, { reason: 'bored' })).status).toBe(422);
  const went = await Promise.all([report(asked), report(asked)]);
  expect(went.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  const shown = { state: 'reported', refundedCents: 0, actUntil: expect.any(String) };
  expect(await show(asked)).toMatchObject({ ...shown, reportUntil: null, canOpen: true });
  expect(await showHer(asked)).toMatchObject(shown);
  for (const { events } of [await show(asked), await showHer(asked)])
    expect(events.at(-1)).toMatchObject({ who: 'buyer', what: 'report_not_agreed', text: words });
  const { rows } = await must(app, 'requests.list', { filter: 'done' }, shared.creator.browser);
  expect(rows).toContainEqual(expect.objectContaining({ id: asked.id, state: 'reported' }));
  expect(await pf()).toMatch(new RegExp(`${asked.id}.*reported.*WAITS FOR YOU`));
  const reported = await mails(operatorEmail);
  for (const text of [`requests decline ${asked.id}`, "It isn't what was agreed", words])
    expect(reported).toContain(text);
  const about = `select about ->> 'stage' as stage from notices where event = 'request' and about ->> 'requestId' = $1`;
  expect((await readRows(app, about, [asked.id])).filter(({ stage }) => stage === 'reported')).toHaveLength(1);
});

it('the operator gives all of it back, by taking back what its creator was sent', async () => {
  const before = await hers();
  const asked = await released();
  expect((await hers()) - before).toBe(3600);
  await expect(pf('refund', asked.id, 'Nobody reported it.')).rejects.toThrow("is released: this isn't possible now");
  await report(asked);
  await expect(pf('release', asked.id, 'Again.')).rejects.toThrow('is reported');
  await expect(pf('refund', asked.id, 'Half.', '20')).rejects.toThrow('is reported');
  const note = 'Half of it was missing.';
  const went = await Promise.allSettled([pf('refund', asked.id, note), pf('refund', asked.id, note)]);
  expect(went.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  expect(await show(asked)).toMatchObject({ state: 'refunded', endReason: 'decided', refundedCents: 4000 });
  expect(await show(asked)).toMatchObject({ canOpen: false, actUntil: null, reportUntil: null });
  expect((await hers()) - before).toBe(0);
  for (const address of [asked.email, shared.creator.email]) expect(await mails(address)).toContain(note);
  const audit = `select count(*)::int as n from audit_log where action = 'request.refunded' and target_id = $1`;
  expect(await readRow(app, audit, [asked.id])).toEqual({ n: 1 });
  await reconcile(app.engines);
  expect(await findDrift(app.engines)).toEqual([]);
});

it('is not given back while what its creator gets is still on its way to her', async () => {
  const { payments } = app.engines;
  const asked = await deliveredTo();
  const away = vi.spyOn(payments, 'release').mockRejectedValue(new PaymentsAway('no line'));
  await must(app, 'requests.say', { code: asked.code, what: 'accept' }, asked.browser);
  await report(asked);
  await expect(pf('refund', asked.id, 'Half of it was missing.')).rejects.toThrow('its release is on the way');
  away.mockRestore();
  advance(app, hourMs);
  await runReleases(app.engines);
  expect(await pf('refund', asked.id, 'Half of it was missing.')).toContain('go back within minutes');
  expect(await show(asked)).toMatchObject({ state: 'refunded', refundedCents: 4000 });
});

it('the operator leaves it as it is, with words to both sides, and that is the end of it', async () => {
  const asked = await released();
  const before = await hers();
  await expect(pf('decline', asked.id, 'Nobody reported it.')).rejects.toThrow('is released');
  await report(asked);
  await expect(pf('decline', asked.id)).rejects.toThrow('Say why');
  const note = 'All of it is in the album.';
  expect(await pf('decline', asked.id, note)).toContain('stay with the creator');
  for (const shown of [await show(asked), await showHer(asked)]) {
    expect(shown).toMatchObject({ state: 'released', endReason: null, refundedCents: 0, actUntil: null });
    expect(shown.events.at(-1)).toMatchObject({ who: 'staff', what: 'report_declined', text: note });
  }
  expect(await show(asked)).toMatchObject({ canOpen: true, reportUntil: null });
  expect(await mails(asked.email)).toMatch(/We looked at what you reported\..*All of it is in the album\./);
  expect(await mails(shared.creator.email)).toMatch(/You keep your share\..*All of it is in the album\./);
  expect((await report(asked)).status, 'once').toBe(409);
  await expect(pf('refund', asked.id, note)).rejects.toThrow('is released');
  expect(await hers()).toBe(before);
});

it('what goes back of one that had gone back in part is the rest, told as it stands', async () => {
  const asked = await askAtLink(app, shared);
  await must(app, 'requests.accept', { requestId: asked.id, days: 7 }, shared.creator.browser);
  await payFor(app, asked);
  expect(await mails(asked.email)).toMatch(
    /You can pay \$40\.00 until .* if the creator ends your access within 30 days of paying/,
  );
  await must(app, 'requests.deliver', { requestId: asked.id, albumId: shared.albumId }, shared.creator.browser);
  await pf('refund', asked.id, 'A quarter of it was missing.', '10');
  expect(await show(asked)).toMatchObject({ state: 'released', refundedCents: 1000 });
  await report(asked);
  expect(await pf('refund', asked.id, 'All of it was.')).toBe('$30.00 go back within minutes.');
  expect(await show(asked)).toMatchObject({ state: 'refunded', refundedCents: 4000 });
  expect((await show(asked)).events.at(-1)).toMatchObject({ what: 'refund', amountCents: 3000 });
  for (const address of [asked.email, shared.creator.email]) {
    expect(await mails(address)).toContain('$30.00 is on its way back to');
    expect(await mails(address)).not.toMatch(/went back|gave/);
  }
});

it('each decision of the operator is written down once, with its words', async () => {
  const [whole, part, back, left] = [await deliveredTo(), await deliveredTo(), await released(), await released()];
  for (const { code, browser } of [whole, part])
    await must(app, 'requests.say', { code, what: 'complain', text: words }, browser);
  for (const asked of [back, left]) await report(asked);
  const note = 'We have looked at it.';
  await pf('release', whole.id, note);
  await pf('refund', part.id, note, '15');
  await pf('refund', back.id, note);
  await pf('decline', left.id, note);
  const audit = 'select action, actor_type, target_type, details from audit_log where target_id = $1';
  const ofStaff = (action: string, more: object = {}) => [
    { action, actor_type: 'system', target_type: 'request', details: { note, ...more } },
  ];
  const written = async ({ id }: Asked) =>
    (await readRows<{ actor_type: string }>(app, audit, [id])).filter(({ actor_type: by }) => by === 'system');
  expect(await written(whole)).toEqual(ofStaff('request.released'));
  expect(await written(part)).toEqual(ofStaff('request.refunded_part', { partCents: 1500 }));
  expect(await written(back)).toEqual(ofStaff('request.refunded'));
  expect(await written(left)).toEqual(ofStaff('request.report_declined'));
});

it('nothing is reported from the fifteenth day after the release on, and the operator is reminded before the promised day', async () => {
  const [late, asked] = [await released(), await released()];
  await report(asked);
  const reported = async () => (await emailsTo(app, operatorEmail)).filter((text) => text.includes(asked.id)).length;
  advance(app, 4 * dayMs - hourMs);
  await tendRequests(app.engines);
  expect(await reported(), 'an hour before').toBe(1);
  advance(app, hourMs);
  await Promise.all([tendRequests(app.engines), tendRequests(app.engines)]);
  expect(await reported()).toBe(2);
  advance(app, 10 * dayMs);
  expect((await report(late)).status).toBe(410);
  expect(await show(late)).toMatchObject({ state: 'released' });
  await pf('refund', asked.id, 'We are late.');
  expect(await show(asked)).toMatchObject({ state: 'refunded', refundedCents: 4000 });
});

it('nothing is reported while the bank looks at the payment, nor once it went back', async () => {
  const [disputed, returned] = [await released(), await released()];
  const stateOf = (state: string, refunded: number, { id }: Asked) =>
    readRows(app, `update checkout_orders set state = $2, refunded_cents = $3 where request_id = $1`, [
      ...[id, state, refunded],
    ]);
  await stateOf('disputed', 0, disputed);
  await stateOf('refunded', 4000, returned);
  expect((await report(disputed)).body).toMatchObject({ code: 'DISPUTED' });
  expect((await report(returned)).status).toBe(409);
  for (const asked of [disputed, returned]) expect(await show(asked)).toMatchObject({ reportUntil: null });
});

it('while the bank looks at the payment our time to answer does not run, and it is not declined once its money went back', async () => {
  const asked = await released();
  await report(asked);
  const before = await show(asked);
  const order = await readRow<{ charge: string }>(
    app,
    'select charge_id as charge from checkout_orders where request_id = $1',
    [asked.id],
  );
  const disputeId = (await app.engines.sandbox?.dispute(order.charge)) ?? '';
  await syncObject(app.engines, disputeId);
  await expect(pf('decline', asked.id, 'Not now.')).rejects.toThrow('The bank is reviewing');
  advance(app, 6 * dayMs);
  await app.engines.sandbox?.decideDispute(disputeId, true);
  await syncObject(app.engines, disputeId);
  const after = await show(asked);
  expect(after).toMatchObject({ state: 'reported' });
  const laterMs = new Date(after.actUntil).getTime() - new Date(before.actUntil).getTime();
  expect(Math.abs(laterMs - 6 * dayMs)).toBeLessThan(20_000);
  await readRows(app, `update checkout_orders set state = 'refunded', refunded_cents = 4000 where request_id = $1`, [
    asked.id,
  ]);
  await expect(pf('decline', asked.id, 'All of it is there.')).rejects.toThrow('is released');
});
