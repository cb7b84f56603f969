import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { refreshQueries } from './refresh-queries.ts';

/** An event of the server: a kind and the ids that it is about, never content. */
export interface LiveNews {
  kind: string;
  linkId?: string;
  visitId?: string;
  mediaId?: string;
  albumId?: string;
}

/** Everything may have changed: after a gap, and when the page comes back into sight. */
const refetch: LiveNews = { kind: 'refetch' };
const listeners = new Set<(news: LiveNews) => void>();
let source: EventSource | undefined;
let retry: ReturnType<typeof setTimeout> | undefined;
let failures = 0;

const notifyAll = (news: LiveNews) => {
  for (const listener of listeners) listener(news);
};

function open(): void {
  if (source !== undefined || listeners.size === 0 || document.visibilityState === 'hidden') return;
  const opened = new EventSource('/api/live');
  source = opened;
  opened.onopen = () => {
    failures = 0;
  };
  opened.onmessage = ({ data }) => notifyAll(JSON.parse(String(data)) as LiveNews);
  opened.onerror = () => {
    // A line that broke is mended by the browser itself; one that was refused must be asked for again.
    if (opened.readyState !== EventSource.CLOSED || source !== opened) return;
    close();
    failures += 1;
    retry = setTimeout(comeBack, Math.min(60_000, 2000 * 2 ** failures));
  };
}

function close(): void {
  clearTimeout(retry);
  source?.close();
  source = undefined;
}

/** After a time without a line nobody knows what was missed. */
function comeBack(): void {
  open();
  notifyAll(refetch);
}

const turn = () => (document.visibilityState === 'hidden' ? close() : comeBack());

/** A browser has six lines to a host and uploads need three: one stream per tab, and only while the tab is in sight. */
function listen(listener: (news: LiveNews) => void): () => void {
  if (listeners.size === 0) document.addEventListener('visibilitychange', turn);
  listeners.add(listener);
  open();
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    document.removeEventListener('visibilitychange', turn);
    close();
  };
}

const pauseMs = 400;

/**
 * Keeps queries fresh by the server's events while this component is on the screen and the tab is in sight.
 * @param kinds beginnings of the kinds that matter: `link.`, `visit.opened`
 * @param keys queries that such an event makes stale
 * @param listener called with each such event as well
 */
export function useLive(
  kinds: readonly string[],
  keys: readonly QueryKey[],
  listener?: (news: LiveNews) => void,
): void {
  const queries = useQueryClient();
  const wanted = useRef({ kinds, keys, hear: listener });
  useEffect(() => {
    wanted.current = { kinds, keys, hear: listener };
  });
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const freshen = () => {
      timer = undefined;
      void refreshQueries(queries, wanted.current.keys);
    };
    const leave = listen((news) => {
      const isMine = news.kind === refetch.kind || wanted.current.kinds.some((kind) => news.kind.startsWith(kind));
      if (!isMine) return;
      // Many events at once, as when a hundred links are revoked, are one reason to read again.
      timer ??= setTimeout(freshen, pauseMs);
      wanted.current.hear?.(news);
    });
    return () => {
      clearTimeout(timer);
      leave();
    };
  }, [queries]);
}
