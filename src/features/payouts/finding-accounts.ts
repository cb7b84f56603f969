import type { Engines } from '#engines/engines.ts';
import { findAccount, findMe } from '#features/accounts/store.ts';
import { moneyNow } from '#features/books/money-clock.ts';
import { settingsOf } from '#features/settings/settings.ts';
import { isPayoutCountry, type PayoutCountry } from '#kit/payout-countries.ts';
import { refuse } from '#wire/refusals.ts';
import { type AccountRow, findAccountOf, findCountryChosen, insertAccount } from './accounts-store.ts';
import type { PayoutStatus } from './contract.ts';
import { findHoldFacts } from './holds-store.ts';
import { type PriceLimits, priceLimitsOf, rateOf } from './rules.ts';
import { findSellerRecord } from './selling-store.ts';
import { syncAccount } from './sync-account.ts';

const system = { kind: 'system' } as const;

/** Returns whether a creator can be paid, as their pages say it. */
export const payoutStatusOf = (
  { payments }: Pick<Engines, 'payments'>,
  account: AccountRow | undefined,
): PayoutStatus => {
  if (payments.isOff) return 'off';
  return account?.fullStatus === 'closed' ? 'closed' : (account?.status ?? 'none');
};

/** The creator's account as it was last heard of. */
export const findPayoutAccount = ({ database, payments }: Engines, userId: string): Promise<AccountRow | undefined> =>
  findAccountOf(database, payments.realm, userId);

interface ConnectParams {
  /** Where their account is to be, for one that is still to be made. */
  country: PayoutCountry | undefined;
  pagePath: '/earnings' | '/account/payouts';
  /** Makes sure that it is them who opens an account that was ever complete. @returns how to note that it was opened */
  confirm: () => Promise<() => Promise<void>>;
}

/**
 * Where a creator goes: to answer what is missing, or to look after an account that is complete. Their account is made once.
 * One that was ever complete has their bank details, whatever is missing by now.
 * @throws PaymentsAway, VALIDATION where an account is to be made and they have not said in which country, CONFLICT where nothing can be sold, or where the provider has closed their account
 */
export async function findConnectUrl(
  engines: Engines,
  userId: string,
  { country, pagePath, confirm }: ConnectParams,
): Promise<string> {
  const { payments, installation } = engines;
  if (payments.isOff) throw refuse('CONFLICT', { message: "Payments aren't set up on this installation yet." });
  const account = (await findPayoutAccount(engines, userId)) ?? (await makeAccount(engines, userId, country));
  const known = await syncAccount(engines, account.accountId);
  if (known?.fullStatus === 'closed') throw refuse('CONFLICT', { message: 'Stripe closed your payout account.' });
  const note = known !== undefined && known.connectedAt !== null ? await confirm() : undefined;
  const page = installation.publicUrl + pagePath;
  const back = { refreshUrl: `${page}?connect=refresh`, returnUrl: `${page}?connect=return` };
  const url =
    known?.status === 'complete'
      ? await payments.accountUrl(account.accountId)
      : await payments.onboardingUrl(account.accountId, back);
  await note?.();
  return url;
}

/** What a creator may ask for an album or bundle at most, and what they may once they have sold for a while without a dispute. */
export async function findPriceLimits(engines: Engines, userId: string): Promise<PriceLimits> {
  const { database, payments } = engines;
  const settings = await settingsOf(engines);
  const found = await database.work(system, (tx) => findSellerRecord(tx, userId, payments.realm));
  return priceLimitsOf(found, moneyNow(engines), {
    mostCents: settings['money.mostPriceCents'],
    newCents: settings['money.newSellerCents'],
    days: settings['money.provenDays'],
    sales: settings['money.provenSales'],
  });
}

/**
 * The most that one payment to a creator may be while many of theirs are disputed, in cents; undefined where nothing limits it.
 * @param cents what is asked for: their disputes are not looked at where it is less than any limit
 */
export async function findDisputeLimit(engines: Engines, userId: string, cents: number): Promise<number | undefined> {
  const { database, payments } = engines;
  const mostCents = (await settingsOf(engines))['money.newSellerCents'];
  if (cents <= mostCents) return undefined;
  const now = moneyNow(engines);
  const facts = await database.work(system, (tx) => findHoldFacts(tx, { userId, realm: payments.realm }, now));
  return facts !== undefined && rateOf(facts) === 'limited' ? mostCents : undefined;
}

/** The country of a creator's payout account; of one that is still to be made what they have said before, else where their network is. */
export async function proposeCountry(
  { database, geoip }: Engines,
  userId: string,
  { account, address }: { account: AccountRow | undefined; address: string },
): Promise<PayoutCountry | null> {
  const said =
    account?.country ?? (await findCountryChosen(database, userId)) ?? (await findMe(database, userId))?.country;
  const country = said ?? geoip.countryOf(address);
  return country !== undefined && isPayoutCountry(country) ? country : null;
}

async function makeAccount(engines: Engines, userId: string, country: PayoutCountry | undefined): Promise<AccountRow> {
  if (country === undefined) throw refuse('VALIDATION', { field: 'country', message: 'Choose your country' });
  const { database, payments } = engines;
  const [owner, me] = await Promise.all([
    database.work(system, (tx) => findAccount(tx, userId)),
    findMe(database, userId),
  ]);
  if (owner === undefined) throw refuse('NOT_FOUND');
  const handle = me?.handle ?? 'creator';
  const account = await payments.ensureAccount({ userId, email: owner.email, handle, country });
  const now = moneyNow(engines);
  const { 'money.settlementDays': settlementDays } = await settingsOf(engines);
  await database.work(system, (tx) => insertAccount(tx, payments.realm, { ...account, userId, settlementDays, now }));
  const made = await findPayoutAccount(engines, userId);
  if (made === undefined) throw new Error('The account was made and is not there.');
  return made;
}
