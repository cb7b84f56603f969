import { forgetKey, keyOf } from '#wire/creation-keys.tsx';
import { creationHeader } from '#wire/promise.ts';

/** A copy on its way to the server. */
export interface Sending {
  /** Ends with the id of its trace, or with nothing when it was cancelled. @throws Error with a sentence for people */
  arrived: Promise<string | undefined>;
  cancel(): void;
}

const lost = 'The connection was lost. Please try again.';

/** A copy that costs credits: what, and whether they have them. */
export class CopyCosts extends Error {
  readonly credits: number;
  readonly canPay: boolean;
  constructor(message: string, credits: number, canPay: boolean) {
    super(message);
    this.name = 'CopyCosts';
    this.credits = credits;
    this.canPay = canPay;
  }
}

/** What a copy is to be compared and weighed with. */
export interface CopyParams {
  /** Compared alone; without it, all albums. */
  albumId?: string | undefined;
  /** Another copy of the same leak. */
  with?: string | undefined;
  /** The price that they have read and agree to. */
  credits?: number | undefined;
}

/** Sends a copy; only this way of sending tells a page how far it is. */
export function sendCopy(file: File, params: CopyParams, onShare: (share: number) => void): Sending {
  const request = new XMLHttpRequest();
  const query = Object.entries(params).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as [string, string]],
  );
  request.open('POST', `/api/traces?${new URLSearchParams(query)}`);
  request.setRequestHeader('content-type', 'application/octet-stream');
  // The same file for the same question: sent again after a lost answer, it is the copy that was sent before.
  const named = JSON.stringify(['traces', query, file.name, file.size, file.lastModified]);
  let isCancelled = false;
  const send = async () => {
    request.setRequestHeader(creationHeader, await keyOf(named));
    if (isCancelled) return undefined;
    const { status, responseText } = await exchange(request, file, onShare);
    if (status === 0) return undefined;
    if (status < 500) await forgetKey(named);
    const { traceId, message, code, data } = readAnswer(responseText);
    if (status === 201 && traceId !== undefined) return traceId;
    if (code === 'CREDITS_NEEDED' && message !== undefined && data?.credits !== undefined)
      throw new CopyCosts(message, data.credits, data.reason === 'agree');
    throw new Error(message ?? lost);
  };
  return {
    arrived: send(),
    cancel: () => {
      isCancelled = true;
      request.abort();
    },
  };
}

/** Sends the file and waits for what comes back; its status is 0 when it was cancelled. @throws Error when the connection broke */
function exchange(request: XMLHttpRequest, file: File, onShare: (share: number) => void): Promise<XMLHttpRequest> {
  return new Promise((resolve, reject) => {
    request.upload.onprogress = ({ loaded, total }) => onShare(total > 0 ? loaded / total : 0);
    request.onerror = () => reject(new Error(lost));
    request.onabort = () => resolve(request);
    request.onload = () => resolve(request);
    request.send(file);
  });
}

interface Answer {
  traceId?: string;
  message?: string;
  code?: string;
  data?: { credits?: number; reason?: string };
}

function readAnswer(text: string): Answer {
  try {
    return JSON.parse(text) as Answer;
  } catch {
    return {}; // a proxy's own page
  }
}
