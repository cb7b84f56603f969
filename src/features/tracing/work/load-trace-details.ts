import type { Tx } from '#engines/database/work.ts';
import type { TraceRow } from '../store.ts';
import { type Known, resultOf } from '../to-api.ts';
import { listItems, listLinkNames, listPeople } from '../verdict/people-store.ts';
import { mediaIdsOf, namedIdsOf } from '../verdict/result.ts';

/** What an answer found, and who was shown it: through the links that it names, or, where nobody is named, all of them. */
export async function findKnown(tx: Tx, row: TraceRow): Promise<Known> {
  const result = resultOf(row);
  if (result === undefined || result.shown.length === 0) return { items: [], people: [], links: [] };
  const { creatorId } = row;
  const named = namedIdsOf(result);
  return {
    items: await listItems(tx, creatorId, mediaIdsOf(result)),
    people: await listPeople(tx, creatorId, result.shown, row.outcome === 'inconclusive' ? undefined : named),
    links: await listLinkNames(tx, creatorId, named.linkIds),
  };
}
