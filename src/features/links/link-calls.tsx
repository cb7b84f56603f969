import type { InfiniteData, QueryClient } from '@tanstack/react-query';
import { callsOf } from '#wire/client.ts';
import { linksContract, type MagicLink } from './contract.ts';

/** The calls of this room. */
export const links = callsOf('links', linksContract);

type Page = { links: MagicLink[] };
type Listed = InfiniteData<Page> | undefined;

/** Changes links wherever this page knows them; @returns what takes the change back. */
export async function patchLinks(
  queries: QueryClient,
  linkIds: readonly string[],
  patch: (link: MagicLink) => MagicLink,
): Promise<() => void> {
  await queries.cancelQueries({ queryKey: links.key() });
  const lists = queries.getQueriesData<Listed>({ queryKey: links.list.key() });
  const ones = queries.getQueriesData<MagicLink>({ queryKey: links.one.key() });
  const change = (link: MagicLink) => (linkIds.includes(link.id) ? patch(link) : link);
  queries.setQueriesData<Listed>(
    { queryKey: links.list.key() },
    (list) => list && { ...list, pages: list.pages.map((page) => ({ ...page, links: page.links.map(change) })) },
  );
  queries.setQueriesData<MagicLink>({ queryKey: links.one.key() }, (link) => link && change(link));
  return () => {
    for (const [key, data] of [...lists, ...ones]) queries.setQueryData(key, data);
  };
}
