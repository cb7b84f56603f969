/** What the server tells about an open visit. */
export interface LiveNews {
  kind: string;
}

/** The one line on which the server says at once that something has changed; open only while the page is in front. */
export interface LiveLine {
  open(): void;
  close(): void;
}

/** @param onNews also called, with `refetch`, when the line was refused: somebody has to ask why */
export function createLiveLine(visitId: string, onNews: (news: LiveNews) => void): LiveLine {
  let source: EventSource | undefined;
  const close = () => {
    source?.close();
    source = undefined;
  };
  return {
    open() {
      if (source !== undefined) return;
      const line = new EventSource(`/api/live/view?visit=${visitId}`);
      line.onmessage = ({ data }: MessageEvent<string>) => onNews(JSON.parse(data) as LiveNews);
      line.onerror = () => {
        if (line.readyState !== EventSource.CLOSED) return; // it reconnects by itself
        close();
        onNews({ kind: 'refetch' });
      };
      source = line;
    },
    close,
  };
}
