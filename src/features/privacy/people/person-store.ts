import { statement, type Tx } from '#engines/database/work.ts';

type Source = Pick<Tx, 'query'>;

/** Somebody without an account, as far as they are known: an address that is theirs, and the viewers and the buyer that they are. */
export interface KnownPerson {
  /** The one that a code goes to; null where no address leads to them. */
  email: string | null;
  /** It was shown to be theirs. One that was only typed where they paid leads to nobody else's data before its code is entered. */
  isProven: boolean;
  buyerId: string | null;
  viewerIds: string[];
  /** A creator's account has the same address: what is mailed there and written to support is the account's. */
  isAccount: boolean;
}

/** Of whom nothing is kept. */
export const unknownPerson: KnownPerson = {
  email: null,
  isProven: false,
  buyerId: null,
  viewerIds: [],
  isAccount: false,
};

/** Of the proven address `email` in `address`, and the viewers in `own`: the whole person. @param codeTo where the address stands to which a code goes */
const person = (codeTo: string) => `buyer as (
  select b.id from buyers b join address a on a.email = b.email
), roots as (
  select id from own
  union select v.id from viewers v join address a on a.email = v.email where v.email_verified_at is not null
  union select o.viewer_id from checkout_orders o join buyer b on b.id = o.buyer_id where o.viewer_id is not null
  union select f.viewer_id from fan_subscriptions f join buyer b on b.id = f.buyer_id where f.viewer_id is not null
  union select r.viewer_id from custom_requests r join buyer b on b.id = r.buyer_id where r.viewer_id is not null
), everybody as (
  select id from roots
  union select v.merged_into from viewers v join roots r on r.id = v.id where v.merged_into is not null
  union select v.id from viewers v join roots r on v.merged_into = r.id
)
select (select email from ${codeTo}) as email, exists (select from address) as "isProven", (select id from buyer) as "buyerId",
  coalesce((select array_agg(id order by id) from (select id from everybody order by id limit 200) e), '{}') as "viewerIds",
  exists (select from users u join address a on lower(u.email) = a.email) as "isAccount"`;

// The address that this browser has proven; else that of its viewer, or under which they have paid or asked.
const ofBrowser = statement<KnownPerson>(
  'person_of_browser',
  `with own as (
  select d.viewer_id as id from viewer_devices d where d.secret_hash = $1
), known as (
  select b.email, 1 as rank, x.at from buyer_browsers x join buyers b on b.id = x.buyer_id where x.secret_hash = $1
  union all select v.email, 2, v.email_verified_at from viewers v join own on own.id = v.id where v.email is not null and v.email_verified_at is not null
  union all select b.email, 3, o.paid_at from checkout_orders o join own on own.id = o.viewer_id join buyers b on b.id = o.buyer_id where o.paid_at is not null
  union all select b.email, 3, r.created_at from custom_requests r join own on own.id = r.viewer_id join buyers b on b.id = r.buyer_id
), best as (
  select lower(k.email) as email, k.rank from known k where k.email not like '%@erased.invalid' order by k.rank, k.at desc limit 1
), address as (
  select email from best where rank < 3
), ${person('best')}`,
);

/** Returns who uses a browser, by the hash of its secret. */
export const findPersonOfBrowser = async (source: Source, secretHash: Buffer): Promise<KnownPerson> =>
  (await source.query(ofBrowser, [secretHash]))[0] ?? unknownPerson;

const ofAddress = statement<KnownPerson>(
  'person_of_address',
  `with own as (select id from viewers where id = $2), address as (select $1::text as email where $1::text is not null), ${person('address')}`,
);

/** Returns whose an address is, in lower case, or who a viewer without one is. */
export const findPerson = async (
  source: Source,
  { email, viewerId }: { email: string | null; viewerId: string | null },
): Promise<KnownPerson> => (await source.query(ofAddress, [email, viewerId]))[0] ?? unknownPerson;

const account = statement('person_account', 'select from users where lower(email) = $1');

/** Returns whether a creator's account has an address. */
export const hasAccount = async (source: Source, email: string): Promise<boolean> =>
  (await source.query(account, [email])).length > 0;
