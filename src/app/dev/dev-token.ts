import { createHash, timingSafeEqual } from 'node:crypto';
import { chmodSync, existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Engines } from '#engines/engines.ts';
import { writeOnce } from '#engines/keys/write-once.ts';
import { longestCookieSeconds } from '#kit/cookie-span.ts';
import { newToken } from '#kit/ids.ts';
import { readCookie } from '#wire/cookies.ts';

type Installation = Engines['installation'];

const tokenPattern = /^[A-Za-z0-9]{32}$/;
const cookieName = 'pf_dev';

/** The secret that opens /dev. The first start of a sandbox makes it, and it stays in the data folder, so that a bookmark does. */
export function openDevToken(dataDir: string): string {
  const file = path.join(dataDir, 'dev-token');
  const known = readToken(file);
  if (known !== undefined) return known;
  // What is no token opens nothing: it is made again.
  rmSync(file, { force: true });
  writeOnce(file, `${newToken(32)}\n`);
  const made = readToken(file);
  if (made === undefined) throw new Error(`${file} cannot be read.`);
  return made;
}

function readToken(file: string): string | undefined {
  if (!existsSync(file)) return undefined;
  if (statSync(file).mode & 0o077) chmodSync(file, 0o600);
  const text = readFileSync(file, 'utf8').trim();
  return tokenPattern.test(text) ? text : undefined;
}

/** The address that opens /dev in a browser. It is printed for whoever started the server, and never logged. */
export const devAddressOf = ({ publicUrl, dataDir }: Pick<Installation, 'publicUrl' | 'dataDir'>): string =>
  `${publicUrl}/dev?token=${openDevToken(dataDir)}`;

/** Headers by which a proxy says that it is one, or for whom it asks. */
const proxyHeaders = new Set(
  'via cdn-loop client-ip true-client-ip x-client-ip x-cluster-client-ip x-remote-ip x-remote-addr x-originating-ip x-proxyuser-ip x-varnish'.split(
    ' ',
  ),
);
const proxyPrefixes = [
  ...['forwarded', 'x-forwarded', 'x-real-', 'x-original-', 'x-proxy-'],
  ...['cf-', 'cloudfront-', 'fastly-', 'fly-', 'ngrok-', 'tailscale-', 'x-amz', 'x-appengine-', 'x-arr-', 'x-azure-'],
  ...['x-cloud-', 'x-envoy-', 'x-nf-', 'x-vercel-'],
];

/**
 * Returns whether a request can come from this machine: the socket is loopback, the host is ours, and no proxy says that it stands
 * between. A bare relay looks just so: this alone opens nothing.
 */
function isNear({ publicUrl, isSandbox }: Installation, { headers, raw }: FastifyRequest): boolean {
  const isForwarded = Object.keys(headers).some(
    (name) => proxyHeaders.has(name) || proxyPrefixes.some((prefix) => name.startsWith(prefix)),
  );
  const isLoopback = ['127.0.0.1', '::1', '::ffff:127.0.0.1'].includes(raw.socket.remoteAddress ?? '');
  return isSandbox && isLoopback && !isForwarded && headers.host === new URL(publicUrl).host;
}

const hashOf = (text: string) => createHash('sha256').update(text).digest();
const isSame = (token: string, said: unknown): boolean =>
  typeof said === 'string' && timingSafeEqual(hashOf(token), hashOf(said));

/**
 * Lets nobody to the routes of a scope but who holds the token: once in the printed address of /dev, which leads at once to
 * the same without it, then in a cookie that no script reads and no other site's page sends.
 * @param sayHow what a browser of this machine is told that does not hold it yet
 */
export function guardDev(
  scope: FastifyInstance,
  { installation, log }: Pick<Engines, 'installation' | 'log'>,
  sayHow: (reply: FastifyReply) => FastifyReply,
): void {
  const token = openDevToken(installation.dataDir);
  const cookie = [
    `${cookieName}=${token}`,
    'Path=/dev',
    `Max-Age=${longestCookieSeconds}`,
    'HttpOnly',
    'SameSite=Strict',
  ];
  const line = [...cookie, ...(installation.isSecure ? ['Secure'] : [])].join('; ');
  let isPrinted = false;
  scope.addHook('onRequest', async (request, reply) => {
    const { headers, query, routeOptions } = request;
    if (!isNear(installation, request)) {
      if (!isPrinted) log.warn({}, 'someone asked for /dev from elsewhere: behind a proxy, set PUBLIC_URL');
      isPrinted = true;
      return reply.code(404).send({ code: 'NOT_FOUND', message: "This doesn't exist, or isn't yours." });
    }
    const { token: said } = query as { token?: unknown };
    if (routeOptions.url === '/dev' && isSame(token, said))
      return reply.header('set-cookie', line).redirect('/dev', 303);
    if (said !== undefined || !isSame(token, readCookie(headers.cookie, cookieName))) return sayHow(reply.code(404));
  });
}
