import { statement, type Tx } from '#engines/database/work.ts';

/** An erasure that was finished, by ids alone: it may stand outside the database. */
export interface Erased {
  /** Of the erasure; the certificate has the same. */
  id: string;
  at: string;
  subjects: readonly { kind: 'creator' | 'viewer' | 'buyer'; id: string }[];
}

const done = statement<Erased>(
  'erased_done',
  `select id, done_at as at, json_build_array(json_build_object('kind', 'creator', 'id', user_id)) as subjects from account_deletions
where state = 'done'
union all select id, done_at, subjects::json from people_erasures where state = 'done' order by at, id`,
);

/** Everybody who was erased. */
export const listErased = async (tx: Tx): Promise<Erased[]> =>
  (await tx.query(done, [])).map(({ id, at, subjects }) => ({ id, at: new Date(at).toISOString(), subjects }));

const accountAgain = statement<{ id: string }>(
  'erased_account_again',
  `with leaving as (
  select id, status from users where id = $2 and status <> 'deleted' for no key update
), gone as (
  update users u set status = 'deleting' from leaving l where u.id = l.id
)
insert into account_deletions as d (id, user_id, asked_by, status_before, asked_at, erase_at) select $1, l.id, 'operator', l.status, $3, $3 from leaving l
on conflict (id) do update set state = 'waiting', kept_at = null, erase_at = excluded.erase_at where d.state in ('waiting', 'kept') returning id`,
);

const otherAccountErasure = statement(
  'erased_account_other',
  `update account_deletions set state = 'kept', kept_at = $3 where user_id = $2 and state = 'waiting' and id <> $1`,
);

/** Has an account erased again that a backup has brought back. @returns false when it is not there, or is being erased already */
export async function eraseAccountAgain(
  tx: Tx,
  { id, userId }: { id: string; userId: string },
  now: Date,
): Promise<boolean> {
  await tx.query(otherAccountErasure, [id, userId, now]);
  return (await tx.query(accountAgain, [id, userId, now])).length === 1;
}

const personAgain = statement<{ id: string }>(
  'erased_person_again',
  `with address as (
  select b.email from buyers b where b.id = any($3::uuid[]) and b.email not like '%@erased.invalid'
  union all select v.email from viewers v where v.id = any($2::uuid[]) and v.email_verified_at is not null limit 1
), there as (
  select 1 where exists (select from address) or exists (select from viewer_devices d where d.viewer_id = any($2::uuid[]))
)
insert into people_erasures as e (id, email, asked_by, asked_at, erase_at, state, erasing_since, subjects)
select $1, (select email from address), 'operator', $5, $5, 'erasing', $5, $4 from there
on conflict (id) do update set state = 'erasing', kept_at = null, erasing_since = excluded.erasing_since, erase_at = excluded.erase_at,
  subjects = excluded.subjects where e.state in ('waiting', 'kept') returning id`,
);

const otherPersonErasure = statement(
  'erased_person_other',
  `update people_erasures e set state = 'kept', kept_at = $3 where e.state = 'waiting' and e.id <> $1
  and e.email in (select b.email from buyers b where b.id = any($2::uuid[]))`,
);

/** The same of somebody without an account. */
export async function erasePersonAgain(tx: Tx, { id, subjects }: Erased, now: Date): Promise<boolean> {
  const idsOf = (kind: string) => subjects.filter((one) => one.kind === kind).map((one) => one.id);
  await tx.query(otherPersonErasure, [id, idsOf('buyer'), now]);
  const values = [id, idsOf('viewer'), idsOf('buyer'), JSON.stringify(subjects), now];
  return (await tx.query(personAgain, values)).length === 1;
}
