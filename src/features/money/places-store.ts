import { statement, type Tx } from '#engines/database/work.ts';

const reserved = statement<{ orderId: string }>(
  'place_reserved',
  `with place as (
  update magic_links set places_taken = places_taken + 1 where id = $2 and places_taken < $4
    and not exists (select from place_reservations r where r.link_id = $2 and r.viewer_id = $3) returning id
)
insert into place_reservations (order_id, link_id, viewer_id) select $1, $2, $3 from place returning order_id as "orderId"`,
);

/**
 * Keeps one of a link's few places while somebody pays for it, so that two strangers cannot both pay for the last one.
 * @returns false when there is none left
 */
export const reservePlace = async (
  tx: Tx,
  { orderId, linkId, viewerId, places }: { orderId: string; linkId: string; viewerId: string; places: number },
): Promise<boolean> => (await tx.ask(reserved, [orderId, linkId, viewerId, places])).length === 1;

const released = statement(
  'place_released',
  `with gone as (delete from place_reservations where order_id = $1 returning link_id)
update magic_links l set places_taken = greatest(0, l.places_taken - 1) from gone where l.id = gone.link_id`,
);

/** Gives back the place of an order that was not paid, or was paid back; who was let in keeps theirs. */
export async function releasePlace(tx: Tx, orderId: string): Promise<void> {
  await tx.ask(released, [orderId]);
}
