import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import underPressure from '@fastify/under-pressure';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Engines } from '#engines/engines.ts';
import { tokenOf } from '#features/accounts/browser-session.ts';
import { networkOf } from '#features/audit/rules.ts';
import { openPlaces } from '#kit/places.ts';
import type { Caller } from '#wire/context.ts';
import { readCookie } from '#wire/cookies.ts';
import { sayRefusal } from '#wire/raw.ts';
import { refuse } from '#wire/refusals.ts';
import { refuseBare, refuseLate } from './bare-answers.ts';
import { watchHeaderTimeouts } from './header-timeouts.ts';
import { headersOf } from './headers.ts';
import type { LoopClock } from './loop-clock.ts';
import { serveInTurn } from './request-turns.ts';
import { isDecider, isUrgent, kindAtDoor, linkOf, openShedding, type Patience, type Shedding } from './shedding.ts';
import { cutSlowBody, type SlowLimits } from './slow-clients.ts';

const sampleMs = 500;
const queueLookMs = 5000;
const logAfterMs = 1000;
const fullMs = 60_000;
/** A connection waits for its next call as long as Fastify's own servers let it. Heads and bodies have clocks that know when this process was away. */
const httpOptions = { keepAliveTimeout: 72_000, headersTimeout: 0, requestTimeout: 0 };

/**
 * How many opens, leases and renewals are decided at once: more of them would only wait for each other. From half of them on
 * one network and one link have no more than a share, so that a place is left for everybody else.
 */
const deciderLimits = { most: 128, sharesFrom: 64, mostOf: { network: 32, link: 32 } };

/**
 * How many calls of what must always work one session has under way at once: its connections are few, and nobody shall
 * take them from the others. Without a session of ours nothing is looked up at all.
 */
const mostOfOneSession = 8;

const comeAgain = { retryAfter: 1, message: "We're very busy right now. Please try again." };

/** How a call gives its place back. */
const leaving = new WeakMap<FastifyRequest, () => void>();

/** Lets the next one in: this call has decided, or only waits from now on. */
export const leavePlace = (request: FastifyRequest): void => leaving.get(request)?.();

/** Who calls, as far as the connection tells. */
export const callerOf = (request: FastifyRequest): Caller => ({
  address: request.ip,
  userAgent: String(request.headers['user-agent'] ?? '').slice(0, 400),
  headers: request.headers,
  cookie: (name) => readCookie(request.headers.cookie, name),
});

/** Where calls are let in, or told to come again. */
export interface Door {
  /** Makes the servers that Fastify listens with, one per address: in a crowd they say no before Fastify hears of a call. */
  makeServer(handle: (request: IncomingMessage, response: ServerResponse) => void): Server;
  /** Begins to look at the load, and refuses what may be refused without a decision. */
  mount(app: FastifyInstance): Promise<Shedding>;
}

export interface DoorSettings {
  patience: Patience;
  slow: SlowLimits;
  /** By which they are slow. */
  clock: LoopClock;
  /** Who connects is a proxy, and who calls is known only to Fastify. */
  isProxied: boolean;
}

/**
 * Opens the door. What a no costs decides how much is still done when far more is asked than can be done, so it is said in
 * two places: without Fastify where it is certain, and behind it, where a call that is whole takes a place.
 */
export function openDoor(engines: Engines, { patience, slow, clock, isProxied }: DoorSettings): Door {
  const hasPatience = patience.loopMs > 0;
  const deciders = openPlaces(hasPatience ? deciderLimits : { most: Number.POSITIVE_INFINITY });
  const sessions = openPlaces({
    most: Number.POSITIVE_INFINITY,
    ...(hasPatience && { mostOf: { session: mostOfOneSession } }),
  });
  let shedding: Shedding | undefined;
  const isRefused = (url: string, address: string | undefined): boolean => {
    const kind = kindAtDoor(url);
    if (kind !== undefined) return shedding?.isShedding(kind) === true;
    return isDecider(url) && deciders.isFull({ network: address && networkOf(address), link: linkOf(url) });
  };
  const addressOf = ({ socket }: IncomingMessage) => (isProxied ? undefined : socket.remoteAddress);
  const { installation } = engines;
  const sayNo = openRefuser(engines, clock, slow);
  /** @returns how to give the place back; false when there is none, undefined when none is needed */
  const takePlace = (request: FastifyRequest) => {
    if (isDecider(request.url)) {
      const { slug } = request.params as { slug?: string };
      return deciders.take({ network: networkOf(request.ip), link: slug }) ?? false;
    }
    const session = isUrgent(request.url) ? tokenOf({ caller: callerOf(request), engines }).token : undefined;
    return session === undefined ? undefined : (sessions.take({ session }) ?? false);
  };
  /**
   * A call that decides holds a place from the moment it is whole – who only begins one holds nothing – until it has decided,
   * or is over.
   * @returns false when there is no place
   */
  const letIn = (request: FastifyRequest, reply: FastifyReply): boolean => {
    if (reply.raw.destroyed) return false; // who has gone already will not close again
    const leave = takePlace(request);
    if (leave === undefined || leave === false) return leave === undefined;
    leaving.set(request, leave);
    reply.raw.once('close', leave);
    return true;
  };
  return {
    makeServer(handle) {
      const serve = (request: IncomingMessage, response: ServerResponse) =>
        isRefused(request.url ?? '', addressOf(request)) ? sayNo(request, response) : handle(request, response);
      const server = createServer(httpOptions, serveInTurn(serve));
      watchHeaderTimeouts(server, clock, slow, (socket, isPartial) => refuseLate(installation, socket, isPartial));
      server.on('error', openFullness(engines));
      server.on('clientError', (error: Error, socket) => refuseBare(installation, error, socket as Socket));
      return server;
    },
    async mount(app) {
      shedding = openShedding(await watchLoad(app, engines, patience), patience);
      app.addHook('onRequest', async (request, reply) => {
        if (isRefused(request.url, request.ip)) return sayRefusal(reply, 'UNAVAILABLE', comeAgain);
      });
      app.addHook('preValidation', async (request, reply) => {
        if (!letIn(request, reply)) return sayRefusal(reply, 'UNAVAILABLE', comeAgain);
      });
      return shedding;
    },
  };
}

/** Says no with what lies ready, and tells the log once a second how often. */
function openRefuser({ installation, log }: Engines, clock: LoopClock, { bodyMs }: SlowLimits) {
  const { status, code, message, data } = refuse('UNAVAILABLE', comeAgain);
  const body = JSON.stringify({ code, message, data });
  const head = Object.entries({
    ...headersOf(installation),
    'retry-after': String(comeAgain.retryAfter),
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
  }).flat();
  let refused = 0;
  const logRefusals = () => {
    log.warn({ refused }, 'too many calls at once, in all or from one link or network: some were asked to try again');
    refused = 0;
  };
  return (request: IncomingMessage, response: ServerResponse): void => {
    if (refused++ === 0) setTimeout(logRefusals, logAfterMs).unref();
    cutSlowBody(request, clock, bodyMs);
    response.writeHead(status, head).end(body);
  };
}

/** Codes of a machine, or a process, that can open nothing more. */
const isFullCode = (code: string | undefined) => code === 'EMFILE' || code === 'ENFILE';

/** Says once a minute that no connection can be taken; the server goes on, and takes the next one that it can. */
function openFullness({ log }: Engines) {
  let loggedMs = Number.NEGATIVE_INFINITY;
  return (error: NodeJS.ErrnoException): void => {
    if (error.syscall === 'listen' || performance.now() - loggedMs < fullMs) return;
    loggedMs = performance.now();
    const words = isFullCode(error.code) ? 'too many files are open' : 'a connection could not be taken';
    log.error({ err: error }, `${words}: some callers are not answered`);
  };
}

/** Returns how late the loop is, how long calls wait for a connection, and how old the queue is. */
async function watchLoad(app: FastifyInstance, { database, jobs }: Engines, { loopMs }: Patience) {
  await app.register(underPressure, { sampleInterval: sampleMs });
  let queueAgeSeconds = 0;
  const look = async () => {
    // A database that is away has its own answer.
    queueAgeSeconds = await jobs.ageSeconds().catch(() => queueAgeSeconds);
  };
  if (loopMs > 0) {
    const looking = setInterval(look, queueLookMs).unref();
    app.addHook('onClose', async () => clearInterval(looking));
  }
  return {
    // Without one sample it is said to be endless, and is known to be no less than this.
    loopDelayMs: () => {
      const { eventLoopDelay } = app.memoryUsage();
      return Number.isFinite(eventLoopDelay) ? eventLoopDelay : sampleMs;
    },
    poolWaitMs: () => database.waitMs(),
    queueAgeSeconds: () => queueAgeSeconds,
  };
}
