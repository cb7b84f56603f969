/** What the server tells about an open visit. */
export interface LiveNews {
  kind: string;
}

/** The one line on which the server says at once that something has changed; open only while the page is in front. */
export interface LiveLine {
  open(): void;
  close(): void;
}

/** A server that refused the line may only have been too busy, or without its database: it is asked again, ever less often. */
const [againMs, longestMs] = [5000, 60_000];

/** @param onNews also called, with `refetch`, when the line was refused, and when it stands again: somebody has to ask what was missed */
export function createLiveLine(visitId: string, onNews: (news: LiveNews) => void): LiveLine {
  let source: EventSource | undefined;
  let again: ReturnType<typeof setTimeout> | undefined;
  let refusals = 0;
  const close = () => {
    clearTimeout(again);
    source?.close();
    source = undefined;
  };
  const open = () => {
    if (source !== undefined) return;
    clearTimeout(again);
    const line = new EventSource(`/api/live/view?visit=${visitId}`);
    line.onmessage = ({ data }: MessageEvent<string>) => onNews(JSON.parse(data) as LiveNews);
    line.onopen = () => {
      if (refusals > 0) onNews({ kind: 'refetch' });
      refusals = 0;
    };
    line.onerror = () => {
      if (line.readyState !== EventSource.CLOSED) return; // it reconnects by itself
      close();
      again = setTimeout(open, Math.min(longestMs, againMs * 2 ** refusals) * (0.75 + Math.random() / 2));
      if (refusals++ === 0) onNews({ kind: 'refetch' });
    };
    source = line;
  };
  return { open, close };
}
