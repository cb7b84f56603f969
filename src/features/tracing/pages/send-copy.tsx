/** A copy on its way to the server. */
export interface Sending {
  /** Ends with the id of its trace, or with nothing when it was cancelled. @throws Error with a sentence for people */
  arrived: Promise<string | undefined>;
  cancel(): void;
}

const lost = 'The connection was lost. Please try again.';

/** What a copy is to be compared and weighed with. */
export interface CopyWish {
  /** Compared alone; without it, all albums. */
  albumId?: string | undefined;
  /** Another copy of the same leak. */
  with?: string | undefined;
}

/** Sends a copy; only this way of sending tells a page how far it is. */
export function sendCopy(file: File, wish: CopyWish, onShare: (share: number) => void): Sending {
  const request = new XMLHttpRequest();
  const arrived = new Promise<string | undefined>((resolve, reject) => {
    request.upload.onprogress = ({ loaded, total }) => onShare(total > 0 ? loaded / total : 0);
    request.onerror = () => reject(new Error(lost));
    request.onabort = () => resolve(undefined);
    request.onload = () => {
      const { traceId, message } = readAnswer(request.responseText);
      if (request.status === 201 && traceId !== undefined) resolve(traceId);
      else reject(new Error(message ?? lost));
    };
  });
  const query = Object.entries(wish).flatMap(([name, id]) =>
    id === undefined ? [] : [[name, id] as [string, string]],
  );
  request.open('POST', `/api/traces?${new URLSearchParams(query)}`);
  request.setRequestHeader('content-type', 'application/octet-stream');
  request.send(file);
  return { arrived, cancel: () => request.abort() };
}

function readAnswer(text: string): { traceId?: string; message?: string } {
  try {
    return JSON.parse(text) as { traceId?: string; message?: string };
  } catch {
    return {}; // a proxy's own page
  }
}
