import type { Tx } from '#engines/database/work.ts';
import { findAsked } from './album-store.ts';
import type { ConsentRequest, CoPerformer } from './contract.ts';
import { writeConsent } from './rules.ts';
import type { HeldPerson } from './store.ts';

/** A person of an album as its creator sees them. */
export const showPerson = ({ id, name, email, state, requestedAt, at, picturesGoneAt }: CoPerformer): CoPerformer => ({
  id,
  name,
  email,
  state,
  requestedAt,
  at,
  picturesGoneAt,
});

/** A request as the person sees who is asked; undefined when its creator is gone. */
export async function showRequest(tx: Tx, person: HeldPerson): Promise<ConsentRequest | undefined> {
  const asked = await findAsked(tx, person.userId, person.albumId);
  if (asked === undefined) return undefined;
  const { creatorName, name: albumName, photoCount, videoCount } = asked;
  const { name, state, at, endedAt, words } = person;
  return {
    creatorName,
    name,
    album: albumName === null ? null : { name: albumName, photoCount, videoCount },
    state,
    at,
    isOver: endedAt !== null || albumName === null,
    words: words ?? writeConsent({ creatorName, albumName: albumName ?? '' }),
  };
}
