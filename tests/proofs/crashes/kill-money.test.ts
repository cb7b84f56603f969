import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { refundPromise } from '#features/notices/refund-promise.ts';
import { goodCard, sessionOf, tipToOpen } from '#tests/support/money/selling.ts';
import { drawNoise, type Visitor, visit } from '#tests/support/servers/visitor.ts';
import { type Browser, headersOf, keepCookies, newBrowser } from '#tests/support/test-app.ts';
import { phone } from '#tests/support/viewer-api.ts';
import { countOf, guards, printProof } from '../counts.ts';
import { type KillRoom, mostMedianReadyMs, openKillRoom, readyFiguresOf, until } from './kill-room.ts';

guards(
  'src/main.ts',
  'src/app/run-app.ts',
  'src/app/stopping.ts',
  'src/features/books/**',
  'src/features/plans/**',
  'src/features/payouts/**',
  'src/features/held/**',
  'src/features/orders/**',
  'src/features/returns/**',
  'src/features/money/**',
  'src/engines/payments/**',
  'tests/support/money/selling.ts',
);

/** The real server with its sandbox, killed while people order, pay and are paid back. */
const payersAtOnce = 4;
const centsOfTip = 1000;
let room: KillRoom;
let visitor: Visitor;
let creator: Browser;
let slug: string;
let requests = 0;
const counts = { paid: 0, acknowledged: 0, refundsAsked: 0 };
/** Payments that the provider's page has thanked for, and orders of which the creator heard that they go back. */
const [thanked, promised] = [new Set<string>(), new Set<string>()];

beforeAll(async () => {
  room = await openKillRoom();
  await room.start('all');
  visitor = visit(room.server);
  creator = await visitor.signUp('killed-payments@example.com');
  const albumId = (await visitor.must('albums.create', { name: 'Killed', peopleConsent: 'only_me' }, creator)).id;
  const photo = await drawNoise(600, 400);
  await visitor.sendFrom(creator, await visitor.beginUpload(creator, albumId, photo), photo, 0);
  await visitor.untilSettled(creator, albumId);
  const { url } = await visitor.must('money.connect', { country: 'US' }, creator);
  await fill(url, { answer: 'complete' });
  await visitor.must('money.checkAccount', {}, creator);
  const rules = { ageGate: false, ...tipToOpen(500) };
  const link = { albumIds: [albumId], rules, isLaxConfirmed: true, expiry: { kind: 'never' } };
  slug = (await visitor.must('links.create', link, creator)).slug;
});
afterAll(async () => {
  await room.close();
  printProof('kill-money', requests, { kills: room.kills, ...counts, ...readyFiguresOf(room.readyMs) });
});

/** Sends a page of the sandbox back. @returns whether it went on from there */
async function fill(place: string, fields: Record<string, string>): Promise<boolean> {
  requests++;
  const url = new URL(new URL(place, room.server.url).pathname, room.server.url);
  const answer = await fetch(url, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' });
  return answer.status === 303;
}

async function send(path: string, body: object, browser: Browser) {
  requests++;
  const answer = await fetch(`${room.server.url}${path}`, {
    method: 'POST',
    headers: { 'x-csrf-token': 'orpc', 'content-type': 'application/json', ...headersOf(browser) },
    body: JSON.stringify(body),
  });
  keepCookies(browser, answer.headers.getSetCookie());
  return answer;
}

const emailOf = (sessionId: string) => `${sessionId}@example.com`;

/** Orders, pays, and asks whether it has arrived. */
async function pay(): Promise<string> {
  const browser = newBrowser({ 'user-agent': phone });
  for (let tap = 0; tap < 2; tap++)
    await (await send(`/api/view/${slug}/open`, { isAdult: true }, browser)).arrayBuffer();
  const order = { offerId: 'tip', amountCents: centsOfTip, shownTerms: refundPromise };
  const answer = await send(`/api/view/${slug}/checkout`, order, browser);
  if (answer.status !== 200) throw new Error(`The checkout: ${answer.status} ${await answer.text()}`);
  const { url } = (await answer.json()) as { url: string };
  const sessionId = sessionOf(url);
  if (await fill(`/sandbox/pay/${sessionId}`, { email: emailOf(sessionId), card: goodCard })) thanked.add(sessionId);
  await ask(sessionId);
  return sessionId;
}

const ask = (sessionId: string) => visitor.call('viewing.checkoutStatus', { sessionId }, newBrowser());

/** The creator gives an order back. */
async function giveBack(orderId: string): Promise<void> {
  requests++;
  counts.refundsAsked++;
  const { status } = await visitor.call('money.refund', { orderId }, creator);
  if (status === 200) promised.add(orderId);
}

/** Payments and refunds at once, of which the kill cuts off what it meets. */
async function killOver(ms: number): Promise<void> {
  const paid = await room.rowsOf<{ id: string }>(
    `select id from checkout_orders where state = 'paid' order by id limit 2`,
  );
  const doing = Promise.allSettled([
    ...Array.from({ length: payersAtOnce }, pay),
    ...paid.map(({ id }) => giveBack(id)),
  ]);
  await wait(ms);
  await room.kill();
  await doing;
  await room.start('all');
}

interface Found {
  session: string;
  order: string | null;
  state: string | null;
  receipts: number;
  mails: number;
  refunds: number;
  refundedCents: number;
}

/** Returns what the sandbox knows to be paid, and what we have of it. Beside it the demo sells through links of its own. */
const findPaid = () =>
  room.rowsOf<Found>(
    `select s.id as session, o.id as order, o.state, (select count(*)::int from receipts r where r.order_id = o.id) as receipts,
       (select count(*)::int from mail_outbox m where m.recipient = s.id || '@example.com' and m.template <> 'order_refunded') as mails,
       (select count(*)::int from sandbox_objects f where f.type = 'refund' and f.body->>'payment_intent' = s.body->>'payment_intent') as refunds,
       (select coalesce(sum((f.body->>'amount')::int), 0)::int from sandbox_objects f where f.type = 'refund' and f.body->>'payment_intent' = s.body->>'payment_intent') as "refundedCents"
     from sandbox_objects s left join checkout_orders o on o.session_id = s.id
     where s.type = 'checkout.session' and s.body->>'payment_status' = 'paid'
       and (o.id is null or o.link_id = (select id from magic_links where slug = $1)) order by s.id`,
    [slug],
  );

/** What does not add up, in words. */
async function findWrong(): Promise<string[]> {
  const found = await findPaid();
  const known = new Set(found.map(({ session }) => session));
  const uneven = await room.rowsOf<{ line: string; ours: number; theirs: number }>(
    `with ours as (select t.source_key as line, sum(e.amount_cents)::int as cents from ledger_entries e
         join ledger_accounts a on a.id = e.account_id join ledger_transactions t on t.id = e.transaction_id where a.key = 'asset:stripe' group by 1),
       theirs as (select id as line, (body->>'net')::int as cents from sandbox_objects where type = 'balance_transaction' and account = 'platform')
     select line, coalesce(ours.cents, 0) as ours, coalesce(theirs.cents, 0) as theirs from ours full join theirs using (line)
     where ours.cents is distinct from theirs.cents and coalesce(ours.cents, theirs.cents) <> 0`,
  );
  return [
    ...[...thanked]
      .filter((session) => !known.has(session))
      .map((session) => `${session} was thanked for and is not paid`),
    ...found.flatMap(({ session, order, state, receipts, mails, refunds, refundedCents }) => {
      const isBack = refunds > 0;
      const wanted = [isBack ? 'refunded' : 'paid', 1, 1, isBack ? 1 : 0, isBack ? centsOfTip : 0];
      const is = [state, receipts, mails, refunds, refundedCents];
      const broken =
        order !== null && promised.has(order) && !isBack ? [`${session} was promised back and is not`] : [];
      return JSON.stringify(is) === JSON.stringify(wanted)
        ? broken
        : [...broken, `${session}: ${is} instead of ${wanted}`];
    }),
    ...uneven.map(({ line, ours, theirs }) => `${line}: ${ours} in the books, ${theirs} at the provider`),
  ];
}

/** Everybody asks once more, as pages and jobs do, until nothing is open. */
async function settle(): Promise<void> {
  await until(async () => {
    for (const { session } of await findPaid()) await ask(session);
    for (const orderId of promised) await visitor.call('money.refund', { orderId }, creator);
    const pending = await room.rowsOf(`select 1 from refunds where state = 'pending'`);
    return pending.length === 0 && (await findWrong()).length === 0 ? true : undefined;
  }, 'Everything paid and given back').catch(() => undefined);
}

test('a server that is killed while people pay and are paid back loses nothing that was acknowledged, and does nothing twice', {
  timeout: countOf(240_000, 3_600_000, 14_400_000),
}, async () => {
  await pay();
  for (let n = 0; n < countOf(2, 30, 200); n++) {
    await killOver(Math.random() * 2500);
    await settle();
    expect(await findWrong()).toEqual([]);
  }
  const found = await findPaid();
  [counts.paid, counts.acknowledged] = [found.length, thanked.size];
  expect(found.length).toBeGreaterThan(1);
  expect(readyFiguresOf(room.readyMs).medianReadyMs).toBeLessThan(countOf(60_000, mostMedianReadyMs));
});

/** The database's processes behind the server's connections; of what they do nothing is told to this role. */
const listBackends = () =>
  room.rowsOf<{ pid: number }>(
    'select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  );

test.each([
  ['its database answers', false],
  ['its database answers no more', true],
] as const)(
  'a server that is told to end while people pay and %s ends by itself, and loses nothing',
  async (_, isStuck) => {
    const before = thanked.size;
    const doing = Promise.allSettled(Array.from({ length: payersAtOnce }, pay));
    await until(() => thanked.size > before || undefined, 'The first payment');
    const backends = isStuck ? await listBackends() : [];
    expect(backends.length > 0).toBe(isStuck);
    for (const { pid } of backends) process.kill(pid, 'SIGSTOP');
    const isByItself = await room.server.stop().finally(() => {
      for (const { pid } of backends) process.kill(pid, 'SIGCONT');
    });
    await doing;
    await room.untilGone();
    expect(isByItself).toBe(true);
    await room.start('all');
    await settle();
    expect(await findWrong()).toEqual([]);
  },
);

test('planted: a payment of which nothing is known, a receipt that is gone and a refund made twice are found', async () => {
  expect(await findWrong()).toEqual([]);
  const [one] = await findPaid();
  thanked.add('cs_lost');
  await room.rowsOf('delete from receipts where order_id = $1', [one?.order]);
  await room.rowsOf(
    `insert into sandbox_objects (id, account, type, body, hidden) select 're_' || n, 'platform', 'refund',
       jsonb_build_object('id', 're_' || n, 'amount', 1000, 'payment_intent', s.body->>'payment_intent'), '{}'
     from sandbox_objects s, generate_series(1, 2) n where s.id = $1`,
    [one?.session],
  );
  const wrong = await findWrong();
  expect(wrong[0]).toBe('cs_lost was thanked for and is not paid');
  expect(wrong[1]).toMatch(new RegExp(`^${one?.session}: \\w+,0,1,[23],[23]000 instead of refunded,1,1,1,1000$`));
});
