import { statement, type Tx } from '#engines/database/work.ts';
import { firstIdAt } from '#kit/ids.ts';

type Source = Pick<Tx, 'query'>;

// Ids are made in the order of time, so the primary keys find the oldest. A browser that comes back at this very moment is
// looked at once more when its row is free, and stays.
const oldDevices = statement<{ id: string }>(
  'old_devices_deleted',
  `delete from viewer_devices where last_seen_at < $2 and id in (
  select d.id from viewer_devices d where d.id < $1 and d.last_seen_at < $2
    and not exists (select from viewer_sessions s where s.device_id = d.id) order by d.id limit 1000) returning id`,
);

/** Whether no browser is left by which viewer `v` would be known again, also of those who turned out to be the same. */
const isUnknown = `v.last_seen_at < $2
    and not exists (select from viewer_devices d where d.viewer_id = v.id)
    and not exists (select from viewer_devices d join viewers c on c.id = d.viewer_id where c.merged_into = v.id)`;

const oldViewers = statement<{ id: string }>(
  'old_viewers_deleted',
  `delete from viewers where last_seen_at < $2 and id in (
  select v.id from viewers v where v.id < $1 and ${isUnknown} and v.email is null and v.blocked_globally_at is null
    and not exists (select from checkout_orders o where o.viewer_id = v.id and o.paid_at is not null)
    and not exists (select from link_viewers a where a.viewer_id = v.id)
    and not exists (select from viewers c where c.merged_into = v.id) order by v.id limit 1000) returning id`,
);

const oldGates = statement<{ id: string }>(
  'old_viewers_emptied',
  `with unknown as (
  select v.id from viewers v where v.id < $1 and ${isUnknown}
    and (v.age_confirmed_at is not null or exists (select from gate_passes g where g.viewer_id = v.id)) order by v.id limit 1000
), passes as (
  delete from gate_passes g using unknown u where g.viewer_id = u.id
)
update viewers v set age_confirmed_at = null from unknown u where v.id = u.id and v.last_seen_at < $2 returning v.id`,
);

const oldProofs = statement<{ id: string }>(
  'old_buyer_browsers_deleted',
  `delete from buyer_browsers where at < $1 and secret_hash in (
  select b.secret_hash from buyer_browsers b where b.at < $1
    and not exists (select from viewer_devices d where d.secret_hash = b.secret_hash) order by b.at limit 1000) returning buyer_id as id`,
);

/**
 * Forgets what is stored about browsers that have not come since a moment, and viewers who are known by none any more, some
 * at a time. Who was let in by a link stays as an id with its grant, without a browser: by it a leaked copy is traced.
 * Who has paid stays as an id with the order, so that what was bought opens when its address is proven.
 * @returns how many rows went or were emptied
 */
export async function forgetOldViewers(source: Source, before: Date): Promise<number> {
  let count = 0;
  for (const one of [oldDevices, oldViewers, oldGates])
    count += (await source.query(one, [firstIdAt(before), before])).length;
  return count + (await source.query(oldProofs, [before])).length;
}
