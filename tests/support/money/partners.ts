import { settleCommissions } from '#features/affiliates/commissions.ts';
import { decidePartner } from '#features/affiliates/deciding.ts';
import { workInbox } from '#features/money/webhooks/inbox.ts';
import { settlePlans } from '#features/plans/settling-plans.ts';
import { dayMs } from '#kit/time.ts';
import { advance, confirmPerson, must, type Person, readRow, readRows, setUpPerson, signUpCreator } from '../people.ts';
import { type Browser, newBrowser, type TestApp } from '../test-app.ts';

export interface Partner extends Person {
  id: string;
  code: string;
}

/** Somebody who has applied, was approved and has taken it up. */
export async function makePartner(app: TestApp, email: string, name = 'Jo Rivers'): Promise<Partner> {
  const application = { name, email, audience: 'A newsletter about safety online', marksAds: true };
  await must(app, 'affiliates.apply', application, newBrowser());
  const { id } = await readRow<{ id: string }>(app, 'select id from affiliates where email = $1', [email]);
  await decidePartner(app.engines, { adminId: null }, { affiliateId: id, act: 'approve', reason: '' });
  // The newest email is the one that confirms the address.
  advance(app, 1000);
  const person = await signUpCreator(app, { email });
  const { partner } = await must(app, 'affiliates.claim', { acceptsTerms: true }, person.browser);
  return { ...person, id, code: partner.code };
}

/** A browser whose visitor has agreed to be measured, and has followed a partner's link. */
export async function follow(app: TestApp, code: string, browser = newBrowser(), more: object = {}): Promise<Browser> {
  browser.cookies.set('pf_consent', 'yes');
  await must(app, 'referrals.follow', { code, landing: '/', ...more }, browser);
  return browser;
}

/** A new creator who came in a browser. */
export async function signUpIn(app: TestApp, browser: Browser, email?: string): Promise<Person> {
  const person = await confirmPerson(app, email, browser);
  await setUpPerson(app, person);
  return { ...person, password: '' };
}

/** Time goes on with the provider: plans are paid, and the shares follow. */
export async function passDays(app: TestApp, days: number): Promise<void> {
  advance(app, days * dayMs);
  await app.engines.sandbox?.deliverDue();
  await workInbox(app.engines);
  await settlePlans(app.engines);
  await settleCommissions(app.engines);
}

/** Time goes on without the provider, and the shares follow the bills that are written. */
export async function waitDays(app: TestApp, days: number): Promise<void> {
  advance(app, days * dayMs);
  await settleCommissions(app.engines);
}

/** Writes a bill of a creator that was paid just now, as if the provider had told. @returns what it is called there */
export async function payBill(app: TestApp, { userId }: Pick<Person, 'userId'>): Promise<string> {
  const now = new Date(app.engines.clock());
  const invoiceId = `in_${crypto.randomUUID()}`;
  await readRows(
    app,
    `insert into platform_subscriptions (id, provider, livemode, user_id, subscription_id, customer_id, status, amount_cents, currency, synced_at, created_at)
select $1, 'sandbox', false, $2, $4, $5, 'active', 399, 'usd', $3, $3
where not exists (select from platform_subscriptions where user_id = $2)`,
    [crypto.randomUUID(), userId, now, `sub_${userId}`, `cus_${userId}`],
  );
  await readRows(
    app,
    `insert into plan_invoices (invoice_id, plan_id, status, amount_cents, paid_cents, currency, created_at, paid_at)
select $1, id, 'paid', 399, 399, 'usd', $3, $3 from platform_subscriptions where user_id = $2`,
    [invoiceId, userId, now],
  );
  await settleCommissions(app.engines);
  return invoiceId;
}

/** Writes that a bill went back, as if the provider had told. */
export async function returnBill(app: TestApp, invoiceId: string): Promise<void> {
  await readRows(app, 'update plan_invoices set refunded_cents = paid_cents where invoice_id = $1', [invoiceId]);
  await settleCommissions(app.engines);
}

/** Writes that a part of a bill went back, so much in all, as if the provider had told. */
export async function returnPart(app: TestApp, invoiceId: string, refundedCents: number): Promise<void> {
  await readRows(app, 'update plan_invoices set refunded_cents = $2 where invoice_id = $1', [invoiceId, refundedCents]);
  await settleCommissions(app.engines);
}

/** A creator whom a partner brought. */
export const bring = async (app: TestApp, { code }: Pick<Partner, 'code'>): Promise<Person> =>
  signUpIn(app, await follow(app, code));

/** What the books owe a partner, above zero while there is something. */
export async function owedTo(app: TestApp, { id }: Pick<Partner, 'id'>): Promise<number> {
  const { cents } = await readRow<{ cents: number }>(
    app,
    `select coalesce(-sum(e.amount_cents), 0)::int as cents from ledger_entries e join ledger_accounts a on a.id = e.account_id
where a.key = 'liability:affiliate:' || $1::text`,
    [id],
  );
  return cents;
}

/** What the rows of shares say that a partner is owed. */
export async function owedByRows(app: TestApp, { id }: Pick<Partner, 'id'>): Promise<number> {
  const { cents } = await readRow<{ cents: number }>(
    app,
    `select (select coalesce(sum(amount_cents - returned_cents), 0) from commissions where affiliate_id = $1 and state in ('pending', 'payable'))::int
  - (select coalesce(sum(d.amount_cents), 0) from affiliate_deductions d left join commissions c on c.id = d.commission_id
      left join affiliate_payouts p on p.id = d.taken_by where d.affiliate_id = $1 and (c.id is null or c.state = 'paid') and p.state is distinct from 'paid')::int as cents`,
    [id],
  );
  return cents;
}

/** What all the books add up to. */
export const sumBooks = async (app: TestApp): Promise<unknown> =>
  readRows(
    app,
    'select currency, sum(amount_cents)::int as sum from ledger_entries group by 1 having sum(amount_cents) <> 0',
  );

/** The shares of a partner, oldest first. */
export const sharesOf = (app: TestApp, { id }: Pick<Partner, 'id'>) =>
  readRows<{ state: string; amount: number; reversed: string | null }>(
    app,
    `select state, amount_cents::int as amount, reversed_because as reversed from commissions where affiliate_id = $1 order by created_at, id`,
    [id],
  );
