/** A copy on its way to the server. */
export interface Sending {
  /** Ends with the id of its trace. @throws Error with a sentence for people */
  arrived: Promise<string>;
  cancel(): void;
}

const lost = 'The connection was lost. Please try again.';

/** Sends a copy; only this way of sending tells a page how far it is. @param albumId compared alone; without it, all albums */
export function sendCopy(file: File, albumId: string | undefined, onShare: (share: number) => void): Sending {
  const request = new XMLHttpRequest();
  const arrived = new Promise<string>((resolve, reject) => {
    request.upload.onprogress = ({ loaded, total }) => onShare(total > 0 ? loaded / total : 0);
    request.onerror = () => reject(new Error(lost));
    request.onload = () => {
      const { traceId, message } = readAnswer(request.responseText);
      if (request.status === 201 && traceId !== undefined) resolve(traceId);
      else reject(new Error(message ?? lost));
    };
  });
  request.open('POST', albumId === undefined ? '/api/traces' : `/api/traces?albumId=${albumId}`);
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
