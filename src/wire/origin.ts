import type { House } from '#engines/engines.ts';

const loopback = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/;

/**
 * Whether a raw POST comes from our own pages, by its `Origin`. A sandbox also takes the machine's other names (127.0.0.1
 * beside localhost), but only the one that the request itself was sent to.
 */
export function isOwnOrigin({ publicUrl, isSandbox }: House, headers: Readonly<Record<string, unknown>>): boolean {
  const { origin, host } = headers;
  if (typeof origin !== 'string')
    return headers['sec-fetch-site'] === undefined || headers['sec-fetch-site'] === 'same-origin';
  if (origin === new URL(publicUrl).origin) return true;
  return isSandbox && typeof host === 'string' && loopback.test(host) && origin === `http://${host}`;
}
