import type { Log } from '#engines/engines.ts';
import { StorageAway } from '#engines/storage/storage.ts';
import { refusalOf } from '#wire/failures.ts';
import { type RefusalCode, refusals } from '#wire/refusals.ts';

/** A refusal in tus' own form. */
export const refusal = (code: RefusalCode, message: string = refusals[code].message) => ({
  status_code: refusals[code].status,
  body: JSON.stringify({ code, message }),
});

const notNow = "Your file can't be saved right now. Your upload continues automatically.";

/**
 * What a failed part of an upload is answered, in the app's words: tus itself would say the error's own, with its paths.
 * @param error a refusal of ours or of tus, or whatever was thrown; a disk that takes nothing comes as a bare 500 from tus
 */
export function refusalOfUpload(error: unknown, requestId: string, log: Pick<Log, 'warn' | 'error'>) {
  const { status_code: status = 500 } = error as { status_code?: number };
  if (status < 500) return undefined;
  const isDisk = !(error instanceof Error) || typeof (error as NodeJS.ErrnoException).errno === 'number';
  const cause = isDisk ? new StorageAway(error) : error;
  const said = refusalOf(cause, requestId, log, 'an upload failed');
  const message = said.status === 503 ? notNow : said.message;
  return { status_code: said.status, body: JSON.stringify({ code: said.code, message, data: said.data }) };
}
