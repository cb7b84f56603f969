import {
  type InvalidateOptions,
  type InvalidateQueryFilters,
  type Query,
  QueryClient,
  type QueryKey,
} from '@tanstack/react-query';

/**
 * The queries of a page. What is on its way for the first time when something has changed may have been read before the change: the
 * library alone would wait for that answer and take it for new. Here it is asked for again.
 */
export class PageQueries extends QueryClient {
  override async invalidateQueries<Key extends QueryKey = QueryKey>(
    filters?: InvalidateQueryFilters<Key>,
    options?: InvalidateOptions,
  ): Promise<void> {
    const isFirstLoad = (query: Query) =>
      query.state.data === undefined && (filters?.predicate?.(query as never) ?? true);
    // Both begin in this very moment: an answer that comes in between would be painted.
    const cancelled = this.cancelQueries({ ...filters, predicate: isFirstLoad } as InvalidateQueryFilters<Key>);
    const read = super.invalidateQueries(filters, options);
    await cancelled;
    return read;
  }
}
