import { type SqlBool, sql } from 'kysely';
import type { Tx } from '#engines/database/work.ts';
import type { Realm } from '#engines/payments/payments.ts';
import type { AdminScope } from '#wire/promise.ts';
import type { FoundAccount } from '../contract.ts';
import type { Search } from './search.ts';

const mostFound = 20;

const columns = [
  'u.id',
  'u.email',
  'u.display_name as displayName',
  'u.handle',
  'u.status',
  'u.email_verified as isConfirmed',
  'u.created_at as createdAt',
] as const;

/** Finds accounts that a search is about, the newest first. */
export async function findAccounts(tx: Tx, search: Search): Promise<FoundAccount[]> {
  return tx.db
    .selectFrom('users as u')
    .select(columns)
    .where('u.status', '<>', 'deleted')
    .where(isAbout(search))
    .orderBy('u.created_at', 'desc')
    .limit(mostFound)
    .$castTo<FoundAccount>()
    .execute();
}

const startsWith = (column: string, text: string) => sql<SqlBool>`starts_with(${sql.ref(column)}, ${text})`;

function isAbout(search: Search) {
  switch (search.is) {
    case 'id':
      return sql<SqlBool>`u.id = ${search.id}
        or u.id = (select o.creator_id from checkout_orders o where o.id = ${search.id})
        or u.email in (${addressesByNumber(search)})`;
    case 'case':
      return sql<SqlBool>`u.id in (
        select r.creator_id from reports r where r.number = ${search.number}
        union select s.user_id from support_requests s where s.number = ${search.number})
        or u.email in (${addressesByNumber(search)})`;
    case 'receipt':
      return sql<SqlBool>`u.id = (select o.creator_id from receipts r join checkout_orders o on o.id = r.order_id where r.number = ${search.number})
        or u.email in (${addressesByNumber(search)})`;
    case 'address':
      return startsWith('u.email', search.address);
    case 'handle':
      return startsWith('u.handle', search.handle);
    case 'words':
      return sql<SqlBool>`starts_with(u.handle, ${search.words}) or starts_with(u.email, ${search.words})
        or position(${search.words} in lower(u.display_name)) > 0`;
  }
}

/** Finds addresses of people without an account that a search is about: who bought, reported or wrote. */
export async function findAddresses(tx: Tx, search: Search): Promise<string[]> {
  const query = addressesOf(search);
  if (query === undefined) return [];
  const { rows } = await sql<{ email: string }>`
    select distinct f.email from (${query}) f where not exists (select from users u where u.email = f.email)
    order by 1 limit ${mostFound}`.execute(tx.db);
  return rows.map(({ email }) => email);
}

function addressesOf(search: Search) {
  switch (search.is) {
    case 'id':
    case 'case':
    case 'receipt':
      return addressesByNumber(search);
    case 'address':
      // What was typed may be nobody's yet: an email may have gone there all the same.
      return sql`select b.email from buyers b where starts_with(b.email, ${search.address})
        union select m.recipient from mail_outbox m where m.recipient = ${search.address}`;
    default:
      return undefined;
  }
}

/** Who has bought, reported or written, with an account or without. */
function addressesByNumber(search: Extract<Search, { is: 'id' | 'case' | 'receipt' }>) {
  switch (search.is) {
    case 'id':
      return sql`select b.email from checkout_orders o join buyers b on b.id = o.buyer_id where o.id = ${search.id}`;
    case 'case':
      return sql`select r.email from reports r where r.number = ${search.number}
        union select s.email from support_requests s where s.number = ${search.number}`;
    case 'receipt':
      return sql`select b.email from receipts r join checkout_orders o on o.id = r.order_id join buyers b on b.id = o.buyer_id
        where r.number = ${search.number}`;
  }
}

export interface CardRow extends FoundAccount {
  setupStep: string;
  country: string | null;
  lastLoginAt: Date | null;
  eraseAt: Date | null;
  subscriptionStatus: string | null;
  trialEndsAt: Date | null;
  isFreeUser: boolean;
  freeUntil: Date | null;
  isPaused: boolean;
  twoFactor: string;
  adminScopes: AdminScope[];
  storageUsedBytes: number;
  albums: number;
  media: number;
  failedMedia: number;
  links: number;
  openReports: number;
  supportRequests: number;
  salesCents: number;
  hasSuite: boolean;
  isBeta: boolean;
}

/** All that is shown of one account. */
export async function findCard(tx: Tx, userId: string, { provider, livemode }: Realm): Promise<CardRow | undefined> {
  const count = (table: string, where: string) =>
    sql<number>`(select count(*)::int from ${sql.table(table)} t where ${sql.raw(where)})`;
  return tx.db
    .selectFrom('users as u')
    .select(columns)
    .select([
      'u.setup_step as setupStep',
      'u.country',
      'u.last_login_at as lastLoginAt',
      'u.erase_at as eraseAt',
      'u.subscription_status as subscriptionStatus',
      'u.trial_ends_at as trialEndsAt',
      'u.is_free_user as isFreeUser',
      'u.free_until as freeUntil',
      'u.plan_is_paused as isPaused',
      'u.two_factor as twoFactor',
      'u.storage_used_bytes as storageUsedBytes',
      sql<AdminScope[]>`coalesce((select r.scopes from user_roles r where r.user_id = u.id), '{}')`.as('adminScopes'),
      count('albums', `t.user_id = u.id and t.state <> 'deleting'`).as('albums'),
      count('media', 't.creator_id = u.id and t.deleted_at is null').as('media'),
      count('media', `t.creator_id = u.id and t.deleted_at is null and t.state = 'failed'`).as('failedMedia'),
      count('magic_links', 't.user_id = u.id').as('links'),
      count('reports', 't.creator_id = u.id and t.decided_at is null').as('openReports'),
      count('support_requests', 't.user_id = u.id').as('supportRequests'),
      sql<number>`(select coalesce(sum(o.amount_cents - o.refunded_cents), 0)::bigint from checkout_orders o
        where o.creator_id = u.id and o.paid_at is not null and o.provider = ${provider} and o.livemode = ${livemode})`.as(
        'salesCents',
      ),
      sql<boolean>`exists (select from user_entitlements e where e.user_id = u.id and e.suite_user)`.as('hasSuite'),
      sql<boolean>`exists (select from user_entitlements e where e.user_id = u.id and e.is_beta)`.as('isBeta'),
    ])
    .where('u.id', '=', userId)
    .where('u.status', '<>', 'deleted')
    .$castTo<CardRow>()
    .executeTakeFirst();
}
