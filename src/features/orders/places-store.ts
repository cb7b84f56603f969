import { isConflictOn } from '#engines/database/violations.ts';
import { statement, type Tx } from '#engines/database/work.ts';

const reserved = statement<{ orderId: string }>(
  'place_reserved',
  `with place as (
  update magic_links set places_taken = places_taken + 1 where id = $2 and places_taken < $4
    and not exists (select from place_reservations r where r.link_id = $2 and r.viewer_id = $3) returning id
)
insert into place_reservations (order_id, link_id, viewer_id, network) select $1, $2, $3, $5 from place returning order_id as "orderId"`,
);

const paidPlace = statement<{ isKept: boolean }>(
  'place_paid_before',
  `select exists (select from place_reservations r join checkout_orders o on o.id = r.order_id
  where r.link_id = $1 and r.viewer_id = $2 and o.state in ('paid', 'partially_refunded')) as "isKept"`,
);

const ofNetwork = statement<{ held: number }>(
  'places_of_network',
  'select count(*)::int as held from place_reservations where link_id = $1 and network = $2',
);

/** Places of one link that may be kept at a time for people of one network: a new viewer costs them nothing. */
const mostOfNetwork = 3;

interface Reservation {
  orderId: string;
  linkId: string;
  viewerId: string;
  /** How many the link has. */
  places: number;
  /** A keyed hash; undefined where the address does not tell who calls. */
  network: string | undefined;
}

/**
 * Keeps one of a link's few places while somebody pays for it, so that two strangers cannot both pay for the last one.
 * @returns `full` when there is none left, `crowded` when their network has enough of them: then nothing of the transaction may stay
 */
export async function reservePlace(tx: Tx, reservation: Reservation): Promise<'kept' | 'full' | 'crowded'> {
  const { orderId, linkId, viewerId, places, network } = reservation;
  // Where an offer is paid in steps, the place of the first is theirs until they are let in.
  const [paid] = await tx.query(paidPlace, [linkId, viewerId]);
  if (paid?.isKept === true) return 'kept';
  const kept = await tx.query(reserved, [orderId, linkId, viewerId, places, network ?? null]);
  if (kept.length === 0) return 'full';
  if (network === undefined) return 'kept';
  // The link's row is locked by now: who reserves at the same time is counted.
  const [row] = await tx.query(ofNetwork, [linkId, network]);
  return (row?.held ?? 0) > mostOfNetwork ? 'crowded' : 'kept';
}

/** Returns whether a unit of work failed because another call has kept a place of the same link for the same viewer. */
export const isPlaceConflict = (error: unknown): boolean =>
  isConflictOn(error, 'place_reservations_link_id_viewer_id_key');

const released = statement(
  'place_released',
  `with gone as (delete from place_reservations where order_id = $1 returning link_id)
update magic_links l set places_taken = greatest(0, l.places_taken - 1) from gone where l.id = gone.link_id`,
);

/** Gives back the place of an order that was not paid, or was paid back; who was let in keeps theirs. */
export async function releasePlace(tx: Tx, orderId: string): Promise<void> {
  await tx.query(released, [orderId]);
}
