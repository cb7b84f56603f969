import { statement, type Tx } from '#engines/database/work.ts';
import type { ConsentGap } from '#features/albums/contract.ts';

/** An album as the person who is asked may know it. */
export interface AskedAlbum {
  name: string;
  creatorName: string;
  photoCount: number;
  videoCount: number;
}

const asked = statement<Omit<AskedAlbum, 'name'> & { name: string | null }>(
  'consent_album_asked',
  `select u.display_name as "creatorName", a.name,
  count(m.id) filter (where m.kind = 'photo')::int as "photoCount", count(m.id) filter (where m.kind = 'video')::int as "videoCount"
from users u left join albums a on a.id = $2 and a.user_id = u.id left join album_items i on i.album_id = a.id
left join media m on m.id = i.media_id and m.deleted_at is null and m.state = 'ready'
where u.id = $1 group by u.display_name, a.name`,
);

/** Who asks, and for which album; its name is null once it is gone. */
export const findAsked = async (tx: Tx, userId: string, albumId: string | null) =>
  (await tx.query(asked, [userId, albumId]))[0];

export interface ConsentAlbum {
  id: string;
  userId: string;
  name: string;
  state: 'draft' | 'ready' | 'archived' | 'locked' | 'deleting';
  peopleConsent: 'only_me' | 'others_with_consent' | null;
  gap: ConsentGap | null;
}

const album = `select a.id, a.user_id as "userId", a.name, a.state, case when a.people_said_at is not null then a.people_consent end as "peopleConsent",
  consent_gap(a.id, a.people_consent) as gap from albums a where a.id = $1`;
const read = statement<ConsentAlbum>('consent_album', album);
const heldAlbum = statement<ConsentAlbum>('consent_album_held', `${album} for no key update`);

/** An album, as it is just now. */
export const findConsentAlbum = async (tx: Tx, albumId: string): Promise<ConsentAlbum | undefined> =>
  (await tx.query(read, [albumId]))[0];

/** An album, held until the transaction ends: who is shown and whether it is open change together. */
export const holdAlbum = async (tx: Tx, albumId: string): Promise<ConsentAlbum | undefined> =>
  (await tx.query(heldAlbum, [albumId]))[0];

const said = statement('consent_said', 'update albums set people_consent = $2, people_said_at = $3 where id = $1');

/** Keeps who is shown in an album. */
export const sayPeople = async (
  tx: Tx,
  albumId: string,
  peopleConsent: 'only_me' | 'others_with_consent',
  now: Date,
): Promise<void> => void (await tx.query(said, [albumId, peopleConsent, now]));

// One that is being deleted stays so; should it be brought back, it comes back locked.
const locked = statement(
  'consent_album_locked',
  `update albums set state = case when state = 'deleting' then state else 'locked' end,
  state_before = case when state = 'deleting' then 'locked' end where id = $1`,
);

/** Closes an album to everybody but its creator. */
export const lockAlbum = async (tx: Tx, albumId: string): Promise<void> => void (await tx.query(locked, [albumId]));

const opened = statement(
  'consent_album_opened',
  `update albums a set state = case when a.state <> 'locked' then a.state when a.archived_at is not null then 'archived'
    when exists (select from album_items i join media m on m.id = i.media_id and m.state = 'ready' and m.deleted_at is null
      where i.album_id = a.id) then 'ready' else 'draft' end,
  state_before = case when a.state_before = 'locked' then 'draft' else a.state_before end
where a.id = $1 and consent_gap(a.id, a.people_consent) is distinct from 'withdrawn'`,
);

/** Takes a lock away, unless somebody else has withdrawn their consent to the album as well. */
export const unlockAlbum = async (tx: Tx, albumId: string): Promise<void> => void (await tx.query(opened, [albumId]));
