import { statement, type Tx } from '#engines/database/work.ts';
import type { Realm } from '#engines/payments/payments.ts';
import type { PageParams } from '../store.ts';

/** One thing that happened to a link; what it was stands in its own rows. */
export interface TimelineRow {
  at: Date;
  id: string;
  kind: 'visit' | 'version' | 'act' | 'money' | 'programs' | 'wrong_password' | 'wrong_code';
  /** A version of its rules, or how often. */
  count: number | null;
  act: 'revoked' | 'revived' | 'shared' | null;
  /** Of an order. */
  sold: 'tip' | 'album' | 'bundle' | 'fan_sub' | 'request' | null;
  amountCents: number | null;
  refundedCents: number | null;
  currency: string | null;
  /** Lost to the payer's bank, or held while it looks. */
  isDisputed: boolean | null;
}

const nothing = `null::int as count, null::text as act, null::text as sold, null::bigint as "amountCents", null::bigint as "refundedCents",
  null::text as currency, null::boolean as "isDisputed"`;

/** Returns SQL for what happens often in a day: one row, at the time when it happened last. */
const counted = (kind: string, table: string, times: string, named: string) =>
  `select * from (select last_at as at, md5('${kind}' || link_id || ${named})::uuid as id, '${kind}' as kind,
  ${nothing.replace('null::int', times)} from ${table} where link_id = $2 and creator_id = $1) ${table}`;

const branches = [
  `select * from (select s.started_at as at, s.id, 'visit' as kind, ${nothing} from viewer_sessions s
  where s.link_id = $2 and s.creator_id = $1) visits`,
  `select * from (select p.at, md5(p.link_id || ' ' || p.version)::uuid as id, 'version' as kind, ${nothing.replace('null::int', 'p.version')}
  from link_policy_log p where p.link_id = $2 and p.user_id = $1) versions`,
  `select * from (select a.at, a.id, 'act' as kind, ${nothing.replace('null::text as act', 'a.act')} from link_acts a
  where a.link_id = $2 and a.user_id = $1) acts`,
  `select * from (select o.paid_at as at, o.id, 'money' as kind, null::int as count, null::text as act, o.kind as sold,
  o.amount_cents as "amountCents", o.refunded_cents as "refundedCents", o.currency, o.state in ('disputed', 'charged_back') as "isDisputed"
  from checkout_orders o where o.link_id = $2 and o.creator_id = $1 and o.paid_at is not null and o.retired_at is null
  and o.provider = $6 and o.livemode = $7) sales`,
  counted('programs', 'robot_opens', 'opens', 'day'),
  counted('wrong_password', 'wrong_passwords', 'tries', "password_version || ' ' || day"),
  counted('wrong_code', 'wrong_codes', 'tries', 'day'),
];

// Each kind brings a page of its own at most, from its index; cursors hold milliseconds.
const timeline = statement<TimelineRow>(
  'link_timeline',
  `select * from (${branches
    .map(
      (branch) => `(${branch} where $3::timestamptz is null or (date_trunc('milliseconds', at), id) < ($3, $4::uuid)
  order by at desc, id desc limit $5)`,
    )
    .join('\nunion all\n')}) happened order by date_trunc('milliseconds', at) desc, id desc limit $5`,
);

/** What happened to a creator's link, newest first. */
export const listTimeline = (
  tx: Tx,
  { creatorId, linkId, after, limit }: PageParams & { linkId: string },
  { provider, livemode }: Realm,
): Promise<TimelineRow[]> =>
  tx.query(timeline, [creatorId, linkId, after?.at ?? null, after?.id ?? null, limit, provider, livemode]);
