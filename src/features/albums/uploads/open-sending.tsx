import { DetailedError, type HttpRequest, type HttpResponse, Upload } from 'tus-js-client';
import { type FileMark, textOf } from './file-fingerprint.tsx';
import {
  blockedFailure,
  type Failure,
  isOurAnswer,
  isWorthRetry,
  mostStops,
  readRefusal,
  retryDelaysMs,
} from './upload-rules.ts';

/** One file on its way. */
export interface Sending {
  upload: Upload;
  /** No part gets through: the next one goes another way. @returns whether that is still worth a try */
  stop(): boolean;
}

interface FileToSend {
  file: File;
  albumId: string;
  mark: FileMark;
  chunkBytes: number;
  /** Where it goes on, when it was begun by a page that is gone. */
  address: string | undefined;
}

/** What the list is told of it. */
interface SendingListener {
  onSent(sentBytes: number): void;
  /** A part did not get through. @param keptBytes what the server has by now */
  onStopped(keptBytes: number): void;
  onFailed(why: Failure): void;
  onArrived(): void;
}

const asPost = 'X-HTTP-Method-Override';
const isPart = (request: HttpRequest): boolean =>
  request.getMethod() === 'PATCH' || request.getHeader(asPost) !== undefined;
const isOurs = (answer: HttpResponse | null): boolean =>
  answer !== null && isOurAnswer(answer.getHeader('Tus-Resumable'), answer.getBody());

/**
 * Opens the way of one file. Some networks let no PATCH through, others no POST that stands for one: what stops a part without a
 * word of ours sends the next one the other way, and after a few of them it is told that the network is what stops it.
 */
export function openSending(
  { file, albumId, mark, chunkBytes, address }: FileToSend,
  listener: SendingListener,
): Sending {
  let keptBytes = 0;
  let stops = 0;
  let isBegun = false;
  let hasWorked = false;
  const stop = (): boolean => {
    const wasCut = hasWorked || !navigator.onLine;
    hasWorked = false;
    if (wasCut) return true; // a line that broke, or none that could refuse anything
    stops += 1;
    upload.options.overridePatchMethod = !upload.options.overridePatchMethod;
    listener.onStopped(keptBytes);
    return stops < mostStops;
  };
  const upload = new Upload(file, {
    endpoint: '/files',
    ...(address !== undefined && { uploadUrl: address }),
    chunkSize: chunkBytes,
    retryDelays: retryDelaysMs,
    removeFingerprintOnSuccess: true,
    fingerprint: async () => `pf-${albumId}-${textOf(mark)}`,
    metadata: { albumId, filename: file.name, filetype: file.type, ...mark },
    onAfterResponse: (_request, answer) => {
      const offset = Number(answer.getHeader('Upload-Offset') ?? 0);
      // What an earlier page has sent tells nothing of this network.
      hasWorked ||= offset > keptBytes && isBegun;
      isBegun = true;
      if (offset <= keptBytes) return;
      keptBytes = offset;
      stops = 0;
    },
    onShouldRetry: (error) => {
      const { originalRequest, originalResponse } = error;
      if (isPart(originalRequest) && !isOurs(originalResponse)) return stop();
      return isWorthRetry(originalResponse?.getStatus());
    },
    onProgress: listener.onSent,
    onError: (error) => {
      const answer = error instanceof DetailedError ? error.originalResponse : null;
      const isBlocked = stops >= mostStops;
      stops = 0;
      const why = readRefusal(answer?.getStatus(), answer?.getBody());
      listener.onFailed(isBlocked ? blockedFailure : why);
    },
    onSuccess: listener.onArrived,
  });
  return { upload, stop };
}
