import type { Installation } from '#engines/engines.ts';
import { bearerOf } from './bearer.ts';

type Headers = Readonly<Record<string, unknown>>;

const loopback = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/;

/**
 * Returns whether an `Origin` is that of our own pages. A sandbox also takes the machine's other names (127.0.0.1 beside localhost),
 * but only the one that the request itself was sent to.
 */
function isOwnOrigin({ publicUrl, isSandbox }: Installation, origin: unknown, host: unknown): boolean {
  if (origin === new URL(publicUrl).origin) return true;
  return isSandbox && typeof host === 'string' && loopback.test(host) && origin === `http://${host}`;
}

const hostOf = (origin: unknown): string | undefined =>
  typeof origin === 'string' && URL.canParse(origin) ? new URL(origin).host : undefined;

/** Methods that change nothing: what a page reads of another site, its browser does not hand over. */
const reading = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Why a call that writes is taken for one of another site's page: `foreign` when the browser says so, with cookies or without,
 * because what is answered may set some; `elsewhere` when it is a page of this very server, opened by another name than the
 * installation's; `silent` when nobody says anything of a page and there are cookies, in whose name it
 * would be done. A form sends neither our header nor a bearer token.
 */
export function whyForeign(
  installation: Installation,
  { method, headers }: { method: string; headers: Headers },
): 'foreign' | 'elsewhere' | 'silent' | undefined {
  if (reading.has(method) || bearerOf(headers) !== undefined) return undefined;
  const { origin, host, cookie, 'sec-fetch-site': site, 'x-csrf-token': header } = headers;
  if (origin !== undefined && isOwnOrigin(installation, origin, host)) return undefined;
  if (origin !== undefined) return hostOf(origin) === host ? 'elsewhere' : 'foreign';
  if (site !== undefined) return site === 'same-origin' ? undefined : 'foreign';
  return cookie === undefined || header !== undefined ? undefined : 'silent';
}
