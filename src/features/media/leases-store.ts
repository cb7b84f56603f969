import { statement, type Tx } from '#engines/database/work.ts';

type Source = Pick<Tx, 'query'>;

/** The right to look at one rendition for half a minute. */
export interface LeaseRow {
  leaseId: string;
  mediaId: string;
  rendition: string;
  packId: string;
  /** Of a video, the seconds whose keys are lent. */
  seconds?: readonly [from: number, before: number];
}

/** Whom leases are written for. */
export interface LeaseHolder {
  grantId: string;
  creatorId: string;
  /** Left out for a creator's own look. */
  visitId: string | undefined;
}

// A delivery is who was ever shown what, so it is kept for good; its last time is good to a minute, its seconds to each.
const leasesGiven = statement(
  'leases_given',
  `with given as (
  select * from unnest($6::uuid[], $7::uuid[], $8::text[], $9::uuid[], $10::int4range[]) as g(id, media_id, rendition, pack_id, seconds)
), lease as (
  insert into key_leases (id, grant_id, session_id, creator_id, media_id, rendition, pack_id, issued_at, expires_at)
  select id, $1, $2, $3, media_id, rendition, pack_id, $4, $5 from given
)
insert into deliveries as d (grant_id, media_id, rendition, pack_id, creator_id, first_at, last_at, lent_seconds)
select $1::uuid, media_id, rendition, pack_id, $3::uuid, $4::timestamptz, $4::timestamptz, range_agg(seconds) from given
group by media_id, rendition, pack_id order by 2, 3
on conflict (grant_id, media_id, rendition, pack_id) do update
set last_at = greatest(d.last_at, excluded.last_at), lent_seconds = d.lent_seconds + excluded.lent_seconds
where d.last_at < excluded.last_at - interval '1 minute' or not excluded.lent_seconds <@ d.lent_seconds`,
);

/** Writes down what is lent to whom, before any key leaves. */
export async function insertLeases(
  source: Source,
  { grantId, creatorId, visitId }: LeaseHolder,
  leases: readonly LeaseRow[],
  { now, expiresAt }: { now: Date; expiresAt: Date },
): Promise<void> {
  if (leases.length === 0) return;
  const column = (name: keyof LeaseRow) => leases.map((lease) => lease[name]);
  const columns = [column('leaseId'), column('mediaId'), column('rendition'), column('packId')];
  const seconds = leases.map((lease) => lease.seconds && `[${lease.seconds.join()})`);
  await source.query(leasesGiven, [grantId, visitId ?? null, creatorId, now, expiresAt, ...columns, seconds]);
}

const oldLeases = statement('leases_swept', 'delete from key_leases where expires_at < $1');

/** Forgets leases that ended before; what was shown to whom stays in the deliveries. */
export async function sweepLeases(source: Source, before: Date): Promise<void> {
  await source.query(oldLeases, [before]);
}

/** Whose codeword a look without a link has: a creator's own, or an administrator's who looks at what is theirs. */
export interface PersonalGrant {
  kind: 'owner' | 'admin';
  creatorId: string;
  userId: string;
}

const personalGrant = statement<{ id: string }>(
  'personal_grant',
  'select id from grants where creator_id = $1 and user_id = $2 and kind = $3',
);

/** The grant under which somebody looks at a creator's media without a link; undefined before their first look. */
export async function findPersonalGrant(
  source: Source,
  { kind, creatorId, userId }: PersonalGrant,
): Promise<string | undefined> {
  const [row] = await source.query(personalGrant, [creatorId, userId, kind]);
  return row?.id;
}

const personalGrantMade = statement(
  'personal_grant_made',
  `with made as (
  insert into grants (id, kind, creator_id, user_id, created_at) values ($1, $6, $2, $5, $3)
  on conflict (creator_id, user_id, kind) where kind <> 'link' do nothing returning id
)
insert into codeword_log (at, creator_id, grant_id, commitment) select $3, $2, id, $4 from made`,
);

/** Makes that grant and fixes its codewords in the log, unless another first look was quicker. */
export async function insertPersonalGrant(
  tx: Tx,
  { kind, creatorId, userId }: PersonalGrant,
  { grantId, commitment, now }: { grantId: string; commitment: Buffer; now: Date },
): Promise<void> {
  await tx.asSystem(({ query }) => query(personalGrantMade, [grantId, creatorId, now, commitment, userId, kind]));
}
