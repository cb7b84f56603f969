import { statement, type Tx } from '#engines/database/work.ts';
import type { Realm } from '#engines/payments/payments.ts';

/** A creator's account at the provider. */
export interface AccountRow {
  userId: string;
  accountId: string;
  status: 'pending' | 'complete';
  fullStatus: 'pending' | 'complete' | 'restricted' | 'closed';
  connectedAt: Date | null;
  missing: string[];
  /** Of its bank and its owner (ISO 3166-1), as the account was made. */
  country: string;
  syncedVersion: number;
}

const columns = `user_id as "userId", acct_id as "accountId", status, full_status as "fullStatus", connected_at as "connectedAt", missing, country,
  synced_version as "syncedVersion"`;

const ofUser = statement<AccountRow>(
  'payout_account_of_user',
  `select ${columns} from user_stripe_accounts where user_id = $1 and provider = $2 and livemode = $3`,
);
const byAccount = statement<AccountRow>(
  'payout_account_by_id',
  `select ${columns} from user_stripe_accounts where acct_id = $1 and provider = $2 and livemode = $3`,
);
const unfinished = statement<{ accountId: string }>(
  'payout_accounts_unfinished',
  `select acct_id as "accountId" from user_stripe_accounts where status = 'pending' and full_status <> 'closed' and provider = $1 and livemode = $2
  and (synced_at is null or synced_at < $3) and (next_try_at is null or next_try_at < $3) order by synced_at nulls first limit 200`,
);
const chosenBefore = statement<{ country: string }>(
  'payout_country_of_user',
  'select country from user_stripe_accounts where user_id = $1 order by created_at desc limit 1',
);
const everyOne = statement<{ accountId: string }>(
  'payout_accounts_all',
  `select acct_id as "accountId" from user_stripe_accounts where provider = $1 and livemode = $2 order by acct_id`,
);

type Source = Pick<Tx, 'query'>;

export const findAccountOf = async (tx: Source, { provider, livemode }: Realm, userId: string) =>
  (await tx.query(ofUser, [userId, provider, livemode]))[0];

/** The country of their newest account, whichever money it is for. */
export const findCountryChosen = async (tx: Source, userId: string): Promise<string | undefined> =>
  (await tx.query(chosenBefore, [userId]))[0]?.country;

/** Returns whether payments can reach a creator, as was last heard. */
export const canBePaid = async (tx: Source, realm: Realm, creatorId: string | null): Promise<boolean> =>
  creatorId !== null && (await findAccountOf(tx, realm, creatorId))?.status === 'complete';

export const findAccountById = async (tx: Source, { provider, livemode }: Realm, accountId: string) =>
  (await tx.query(byAccount, [accountId, provider, livemode]))[0];

export const listUnfinished = async (tx: Tx, { provider, livemode }: Realm, before: Date): Promise<string[]> =>
  (await tx.query(unfinished, [provider, livemode, before])).map(({ accountId }) => accountId);

export const listAccounts = async (tx: Tx, { provider, livemode }: Realm): Promise<string[]> =>
  (await tx.query(everyOne, [provider, livemode])).map(({ accountId }) => accountId);

const made = statement(
  'payout_account_made',
  `insert into user_stripe_accounts (user_id, provider, livemode, acct_id, created_at, settlement_days, country)
values ($1, $2, $3, $4, $5, $6, $7)
on conflict (user_id, provider, livemode) do nothing`,
);

export async function insertAccount(
  tx: Tx,
  { provider, livemode }: Realm,
  account: { userId: string; accountId: string; country: string; settlementDays: number; now: Date },
): Promise<void> {
  const { userId, accountId, country, settlementDays, now } = account;
  await tx.query(made, [userId, provider, livemode, accountId, now, settlementDays, country]);
}

const written = statement<{ userId: string }>(
  'payout_account_written',
  `update user_stripe_accounts set full_status = $4, status = case when $4 = 'complete' then 'complete' else 'pending' end,
  connected_at = case when $4 = 'complete' then coalesce(connected_at, $5) else connected_at end,
  missing = $6, tries = 0, next_try_at = null, synced_at = $5, synced_version = synced_version + 1
where acct_id = $1 and provider = $2 and livemode = $3 and synced_version = $7 returning user_id as "userId"`,
);

/** Writes what the provider says now. @returns false when somebody was quicker */
export async function writeAccount(
  tx: Tx,
  { provider, livemode }: Realm,
  account: {
    accountId: string;
    fullStatus: AccountRow['fullStatus'];
    missing: readonly string[];
    version: number;
    now: Date;
  },
): Promise<boolean> {
  const { accountId, fullStatus, missing, version, now } = account;
  const values = [accountId, provider, livemode, fullStatus, now, JSON.stringify(missing), version];
  return (await tx.query(written, values)).length === 1;
}
