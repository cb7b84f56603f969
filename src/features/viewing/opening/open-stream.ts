import type { FastifyReply } from 'fastify';
import type { Engines } from '#engines/engines.ts';
import type { Asker, Question } from '#features/access/store.ts';
import { answerPictures, type termsOf } from '../leases/answering.ts';
import { guardStream, leaseEndsAt, showLeases } from '../leases/lending.ts';
import { showOpened } from '../to-api.ts';
import type { OpenersCookie } from '../viewer-cookie.ts';
import type { Changes } from '../visits/change-watch.ts';
import type { Admitted } from './admit.ts';

/** What the answer needs of the call. */
interface Streaming {
  engines: Engines;
  changes: Changes;
  reply: FastifyReply;
  cookie: OpenersCookie;
  asker: Asker;
}

/** Somebody who was let in, and by what. */
export interface Going {
  question: Question;
  admitted: Admitted;
  until: number | undefined;
  terms: Awaited<ReturnType<typeof termsOf>>;
  mark: number;
}

/** Answers with the list, and keys and packs of the first screen. */
export async function stream(
  { engines, changes, reply, cookie, asker }: Streaming,
  { question, admitted, until, terms, mark }: Going,
) {
  const { grant, visitId, viewerId, lendings } = admitted;
  cookie.keep();
  const leases = await showLeases(engines, grant, lendings, terms, {
    now: asker.now,
    expiresAt: leaseEndsAt(asker.now, terms, until),
  });
  const endsInMs = until && until - asker.now.getTime();
  const head = showOpened({ question, admitted, leases, terms, endsInMs, openedAt: asker.now });
  const numberOf = new Map(head.items.map(({ mediaId, n }) => [mediaId, n]));
  const pictures = lendings.map(({ pack }) => ({ n: numberOf.get(pack.mediaId) ?? 0, pack, isKeysOnly: false }));
  const ids = [question.linkId, viewerId, visitId, ...question.link.albumIds];
  const guard = guardStream(engines, changes, { visitId, ids, asker, mark });
  return answerPictures(engines, reply, { head, grant, pictures, guard });
}
