import { statement, type Tx } from '#engines/database/work.ts';
import type { PlayableTrack } from '#features/media/playable-track.ts';
import type { KeyedPack } from '#features/media/stored-pack.ts';
import type { KeyedTrack } from '#features/media/video-lending.ts';
import { newId } from '#kit/ids.ts';

type Source = Pick<Tx, 'query'>;

/** What a look is about. */
export interface LookedAt {
  creatorId: string;
  linkId: string;
  reportId: string | null;
  orderId: string | null;
}

/** Something is said against an order: its buyer asks for their money, or their bank does. */
const isComplaint = `(exists (select from refund_requests q where q.order_id = o.id) or exists (select from disputes d where d.order_id = o.id))`;

const orderLookedAt = statement<LookedAt>(
  'glass_order',
  `select creator_id as "creatorId", link_id as "linkId", null::uuid as "reportId", id as "orderId"
from checkout_orders o where id = $1 and creator_id is not null and link_id is not null and ${isComplaint} for update`,
);

/** The link by which an order was paid that somebody complains about, held until the transaction ends. */
export const lockOrderLookedAt = async (tx: Tx, orderId: string): Promise<LookedAt | undefined> =>
  (await tx.query(orderLookedAt, [orderId]))[0];

/** A look of one administrator. */
export interface Look {
  adminId: string;
  now: Date;
}

export interface OpenLook {
  id: string;
  creatorId: string;
  /** Who looks. */
  adminName: string;
  endsAt: Date;
}

/** That is its administrator's own, was not closed and is not over: every way to a byte asks this. $1 its administrator, $2 now. */
const isOpen = 'g.admin_id = $1 and g.closed_at is null and g.ends_at > $2';
const openLook = `select g.id, g.creator_id as "creatorId", u.display_name as "adminName", g.ends_at as "endsAt"
from break_glasses g join users u on u.id = g.admin_id where ${isOpen}`;

const openById = statement<OpenLook>('glass_by_id', `${openLook} and g.id = $3`);

/** An administrator's own look that is going on; undefined for every other. */
export const findOpenLook = async (source: Source, glassId: string, { adminId, now }: Look) =>
  (await source.query(openById, [adminId, now, glassId]))[0];

const openAbout = statement<OpenLook>(
  'glass_about',
  `${openLook} and (g.report_id = $3 or g.order_id = $4) order by g.opened_at desc limit 1`,
);

/** The same by what is looked at. */
export const findOpenLookAt = async (
  source: Source,
  { reportId, orderId }: Pick<LookedAt, 'reportId' | 'orderId'>,
  { adminId, now }: Look,
) => (await source.query(openAbout, [adminId, now, reportId, orderId]))[0];

export interface NewLook extends LookedAt, Look {
  reason: string;
  untoldBecause: string | null;
  endsAt: Date;
}

/** Writes a look down. @returns its id */
export async function insertLook(tx: Tx, look: NewLook): Promise<string> {
  const { creatorId, linkId, reportId, orderId, adminId, reason, untoldBecause, now, endsAt } = look;
  const id = newId<'breakGlass'>(now.getTime());
  const about = { creator_id: creatorId, link_id: linkId, report_id: reportId, order_id: orderId };
  await tx.db
    .insertInto('break_glasses')
    .values({
      id,
      admin_id: adminId,
      ...about,
      reason,
      untold_because: untoldBecause,
      opened_at: now,
      ends_at: endsAt,
    })
    .execute();
  return id;
}

/** Ends an administrator's own look. @returns whether it went on */
export async function closeLook(tx: Tx, glassId: string, { adminId, now }: Look): Promise<boolean> {
  const { numUpdatedRows } = await tx.db
    .updateTable('break_glasses')
    .set({ closed_at: now })
    .where('id', '=', glassId)
    .where('admin_id', '=', adminId)
    .where('closed_at', 'is', null)
    .where('ends_at', '>', now)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

export interface LookRow {
  id: string;
  adminId: string | null;
  adminName: string;
  reason: string;
  isTold: boolean;
  openedAt: Date;
  endsAt: Date;
}

const looksAt = statement<LookRow>(
  'glass_looks',
  `select g.id, g.admin_id as "adminId", coalesce(u.display_name, '') as "adminName", g.reason, g.untold_because is null as "isTold",
  g.opened_at as "openedAt", least(g.ends_at, g.closed_at) as "endsAt"
from break_glasses g left join users u on u.id = g.admin_id
where g.report_id = $1 or g.order_id = $2 order by g.opened_at desc limit 50`,
);

/** Lists who has looked at what a report or an order is about, the newest first. */
export const listLooks = (tx: Tx, { reportId, orderId }: Pick<LookedAt, 'reportId' | 'orderId'>): Promise<LookRow[]> =>
  tx.query(looksAt, [reportId, orderId]);

/** Forgets looks of before a moment; the audit log keeps that they were. */
export async function forgetLooks(tx: Tx, before: Date): Promise<void> {
  await tx.db.deleteFrom('break_glasses').where('opened_at', '<', before).execute();
}

/** The media of an open look: what lies in the albums of its link, also what its creator has hidden there meanwhile. */
const mediaOf = `break_glasses g join media m on m.creator_id = g.creator_id and m.state = 'ready' and m.deleted_at is null
  and exists (select from link_albums la join album_items i on i.album_id = la.album_id where la.link_id = g.link_id and i.media_id = m.id)`;

export interface GlassItemRow {
  mediaId: string;
  kind: 'photo' | 'video';
  width: number;
  height: number;
  thumbhash: Buffer;
  durationMs: number | null;
}

const items = statement<GlassItemRow>(
  'glass_items',
  `select m.id as "mediaId", m.kind, m.width, m.height, m.thumbhash, m.duration_ms as "durationMs"
from ${mediaOf} where ${isOpen} and g.id = $3 order by m.created_at, m.id limit $4`,
);

/** Lists what an open look shows. */
export const listGlassItems = (
  source: Source,
  glassId: string,
  { adminId, now, limit }: Look & { limit: number },
): Promise<GlassItemRow[]> => source.query(items, [adminId, now, glassId, limit]);

const packs = statement<KeyedPack>(
  'glass_packs',
  `select p.id, p.creator_id as "creatorId", p.media_id as "mediaId", p.rendition, p.path, p.columns, p.rows, k.key_id as "keyId", k.wrapped
from unnest($4::uuid[], $5::text[]) with ordinality as w(media_id, rendition, n)
join ${mediaOf} on m.id = w.media_id
join packs p on p.media_id = m.id and p.rendition = w.rendition
join media_keys k on k.media_id = m.id
where ${isOpen} and g.id = $3 order by w.n`,
);

/** Packs of what is asked for with their keys, as far as an open look shows it. */
export const findGlassPacks = (
  source: Source,
  glassId: string,
  wanted: readonly { mediaId: string; rendition: string }[],
  { adminId, now }: Look,
): Promise<KeyedPack[]> =>
  source.query(packs, [
    adminId,
    now,
    glassId,
    wanted.map(({ mediaId }) => mediaId),
    wanted.map(({ rendition }) => rendition),
  ]);

const tracksOf = `${mediaOf} join packs p on p.media_id = m.id and p.rendition in ('v720', 'v480', 'audio')`;

const playable = statement<PlayableTrack>(
  'glass_video',
  `select p.id as "packId", p.rendition as track, p.width, p.height, p.durations_us as "durationsUs",
  (select json_agg(json_build_object('slot', f.slot, 'lengths', f.lengths)) from segment_files f where f.pack_id = p.id) as lengths
from ${tracksOf} where ${isOpen} and g.id = $3 and m.id = $4`,
);

/** Everything that is played of a video behind an open look. */
export const findGlassVideo = (
  source: Source,
  glassId: string,
  { adminId, now, mediaId }: Look & { mediaId: string },
): Promise<PlayableTrack[]> => source.query(playable, [adminId, now, glassId, mediaId]);

const keyed = statement<KeyedTrack>(
  'glass_tracks',
  `select p.id, p.rendition as track, p.segments, k.key_id as "keyId", k.wrapped
from ${tracksOf} join media_keys k on k.media_id = m.id where ${isOpen} and g.id = $3 and m.id = $4`,
);

/** The renditions of such a video with the key of its medium. */
export const findGlassTracks = (
  source: Source,
  glassId: string,
  { adminId, now, mediaId }: Look & { mediaId: string },
): Promise<KeyedTrack[]> => source.query(keyed, [adminId, now, glassId, mediaId]);
