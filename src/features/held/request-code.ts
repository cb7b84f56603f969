import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Engines } from '#engines/engines.ts';
import { isUuid } from '#kit/ids.ts';

type Secrets = Pick<Engines, 'secrets'>;

const macOf = (secret: string, requestId: string) =>
  createHmac('sha256', secret).update(`request:${requestId}`).digest('base64url').slice(0, 22);

/** The name under which whoever asked follows a request: its id, and a proof that we gave it to somebody. */
export const requestCode = ({ secrets: [secret] }: Secrets, requestId: string): string =>
  `${requestId}.${macOf(secret, requestId)}`;

/** @returns the request's id, undefined for a code that we did not give */
export function readRequestCode({ secrets }: Secrets, code: string): string | undefined {
  const [requestId = '', mac = ''] = code.split('.');
  if (!isUuid(requestId)) return undefined;
  const given = Buffer.from(mac);
  const isOurs = secrets.some((secret) => {
    const wanted = Buffer.from(macOf(secret, requestId));
    return wanted.length === given.length && timingSafeEqual(wanted, given);
  });
  return isOurs ? requestId : undefined;
}

/** Returns what people call a request by when they write to us: the end of its id, which tells nothing of how many there are. */
export const requestReference = (requestId: string): string => requestId.replaceAll('-', '').slice(-8).toUpperCase();
