import { statement, type Tx } from '#engines/database/work.ts';
import type { StoredAccount } from '#features/accounts/rules.ts';
import { openMailedCodes } from '#features/viewing/mailed-codes-store.ts';
import type { RequestSettings } from './contract.ts';

type Source = Pick<Tx, 'query'>;

const settings = statement<RequestSettings>(
  'request_settings_of',
  `select is_on as "isOn", least_cents as "leastCents", price_list as "priceList", days, wont_do as "wontDo", most_open as "mostOpen"
from request_settings where user_id = $1`,
);

export const findSettings = async (source: Source, userId: string): Promise<RequestSettings | undefined> =>
  (await source.query(settings, [userId]))[0];

const kept = statement(
  'request_settings_kept',
  `insert into request_settings (user_id, is_on, least_cents, price_list, days, wont_do, most_open) values ($1, $2, $3, $4, $5, $6, $7)
on conflict (user_id) do update set is_on = excluded.is_on, least_cents = excluded.least_cents, price_list = excluded.price_list,
  days = excluded.days, wont_do = excluded.wont_do, most_open = excluded.most_open`,
);

export async function keepSettings(tx: Tx, userId: string, params: RequestSettings): Promise<void> {
  const { isOn, leastCents, priceList, days, wontDo, mostOpen } = params;
  await tx.query(kept, [userId, isOn, leastCents, JSON.stringify(priceList), days, wontDo, mostOpen]);
}

/** Of whom something may be asked, and by which link. */
export interface AskedCreator extends StoredAccount {
  userId: string;
  displayName: string;
  linkId: string | null;
  /** An album of that link takes requests. */
  isOffered: boolean;
}

// A link tells who made it to nobody but those whom it has let in.
const ofLink = statement<AskedCreator>(
  'request_creator_of_link',
  `select u.id as "userId", u.display_name as "displayName", l.id as "linkId", u.status, u.email_verified as "emailVerified",
  u.setup_step as "setupStep", u.is_free_user as "isFreeUser", u.free_until as "freeUntil", u.subscription_status as "subscriptionStatus",
  u.trial_ends_at as "trialEndsAt", exists (select from user_roles r where r.user_id = u.id and r.role = 'admin') as "isAdmin",
  exists (select from link_albums x join albums c on c.id = x.album_id where x.link_id = l.id and c.allow_custom_requests) as "isOffered"
from magic_links l join users u on u.id = l.user_id
join viewer_devices d on d.secret_hash = $2
join viewers me on me.id = d.viewer_id
join viewers v on v.id = case when me.merged_into is null then me.id else me.merged_into end
join link_viewers a on a.link_id = l.id and a.viewer_id = v.id
where l.slug = $1 and not l.is_revoked and l.taken_down_at is null and a.blocked_at is null`,
);

/** Whose link it is that has let this browser in. */
export const findCreatorOfLink = async (
  source: Source,
  slug: string,
  secretHash: Buffer,
): Promise<AskedCreator | undefined> => (await source.query(ofLink, [slug, secretHash]))[0];

/** Codes that prove an address to whoever asks a creator for something. */
export const requestCodes = openMailedCodes({ kind: 'request', table: 'request_codes', subject: 'creator_id' });

const own = statement<{ isOwn: boolean; isProven: boolean }>(
  'request_own',
  `select exists (select from viewer_devices d join viewers me on me.id = d.viewer_id join viewers v on v.id = r.viewer_id
    where d.secret_hash = $2 and case when me.merged_into is null then me.id else me.merged_into end
      = case when v.merged_into is null then v.id else v.merged_into end) as "isOwn",
  exists (select from buyer_browsers b where b.secret_hash = $2 and b.buyer_id = r.buyer_id) as "isProven"
from custom_requests r where r.id = $1`,
);

/** Returns whether this browser is one of the viewer who asked, and whether it has proven their address. */
export async function isOwnRequest(
  source: Source,
  requestId: string,
  secretHash: Buffer | undefined,
): Promise<{ isOwn: boolean; isProven: boolean }> {
  if (secretHash === undefined) return { isOwn: false, isProven: false };
  return (await source.query(own, [requestId, secretHash]))[0] ?? { isOwn: false, isProven: false };
}

const disputedBefore = statement<{ hasDisputed: boolean }>(
  'request_asker_disputed',
  `select exists (select from disputes d join checkout_orders o on o.id = d.order_id left join viewers v on v.id = d.viewer_id
  where d.creator_id = r.creator_id and d.standing in ('open', 'won', 'lost') and d.order_id is distinct from r.order_id
    and d.provider = r.provider and d.livemode = r.livemode
    and (o.buyer_id = r.buyer_id or r.viewer_id in (v.id, v.merged_into)
      or v.id = (select m.merged_into from viewers m where m.id = r.viewer_id))) as "hasDisputed"
from custom_requests r where r.id = $1`,
);

/** Returns whether whoever asks has taken another payment to this creator to their bank. */
export const hasDisputedBefore = async (source: Source, requestId: string): Promise<boolean> =>
  (await source.query(disputedBefore, [requestId]))[0]?.hasDisputed === true;

const openOf = statement<OpenCounts>(
  'requests_open_of',
  `select (count(*) filter (where state <> 'requested'))::int as answered, (count(*) filter (where state = 'requested'))::int as unanswered
from custom_requests where creator_id = $1 and closed_at is null and provider = $2 and livemode = $3`,
);

interface OpenCounts {
  answered: number;
  unanswered: number;
}

/** Returns how many requests of a creator are open, those that wait for their first answer apart. */
export async function countOpen(
  source: Source,
  { provider, livemode }: { provider: string; livemode: boolean },
  creatorId: string,
): Promise<OpenCounts> {
  return (await source.query(openOf, [creatorId, provider, livemode]))[0] ?? { answered: 0, unanswered: 0 };
}

const pending = statement<{
  id: string;
  sessionId: string | null;
  accountId: string;
  feeCents: number;
  amountCents: number;
  expiresAt: Date;
}>(
  'request_order_pending',
  `select id, session_id as "sessionId", acct_id as "accountId", fee_cents as "feeCents", amount_cents as "amountCents", expires_at as "expiresAt"
from checkout_orders where request_id = $1 and state = 'pending'`,
);

/** The payment of a request that is under way. */
export const findPendingOrder = async (source: Source, requestId: string) =>
  (await source.query(pending, [requestId]))[0];
