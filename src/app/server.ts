import { randomUUID } from 'node:crypto';
import underPressure from '@fastify/under-pressure';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, type RouteOptions } from 'fastify';
import type { Engines } from '#engines/engines.ts';
import { mountAvatars } from '#features/accounts/avatars.ts';
import { mountMe } from '#features/accounts/me-route.ts';
import { findActor, tokenOf } from '#features/accounts/session.ts';
import { mountUploads } from '#features/albums/uploads.ts';
import { mountVisitsTable } from '#features/insights/csv-route.ts';
import { mountCreatorPage } from '#features/marketing/creator-page.ts';
import { mountAvatarUpload } from '#features/media/avatar-upload.ts';
import { mountBytes } from '#features/media/bytes.ts';
import { mountFilmBytes } from '#features/media/film-bytes.ts';
import { mountOriginals } from '#features/media/original-route.ts';
import { mountPreview } from '#features/media/preview.ts';
import { mountTraceFiles } from '#features/tracing/files-route.ts';
import { mountTraceUpload } from '#features/tracing/upload-route.ts';
import { mountViewing } from '#features/viewing/mount.ts';
import type { Actor, Caller, Context } from '#wire/context.ts';
import { cookieLine, readCookie } from '#wire/cookies.ts';
import type { Live } from '#wire/live.ts';
import type { Subject, Who } from '#wire/promise.ts';
import { type Mounting, sayFailure, sayRefusal } from '#wire/raw.ts';
import { refuse } from '#wire/refusals.ts';
import { mountRpc } from '#wire/rpc.ts';
import { isStorable } from '#wire/storable.ts';
import { mountDev } from './dev.ts';
import { giveHeaders, mountHeaders } from './headers.ts';
import { mountHealth } from './health.ts';
import { mountLive } from './live-routes.ts';
import { router } from './rooms.ts';
import {
  isDecider,
  isUrgent,
  kindAtDoor,
  openShedding,
  openTurnstile,
  openTurnstiles,
  type Patience,
  type Shedding,
  type Turnstile,
} from './shedding.ts';
import { cutSlowClients, httpOptionsFor, type SlowLimits, usualSlowLimits } from './slow-clients.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Who may succeed with a raw route; the authorization matrix reads it. */
    who?: readonly (Who | 'anybody' | 'developer')[];
    subject?: Subject;
    /** Its body is a file, which may take as long as it likes while it gets on. */
    isUpload?: boolean;
  }
}

export interface ServerSettings {
  trustedProxies: string | undefined;
  /** Mounts the pages; left out in development, where Vite serves them, and in most tests. */
  mountSite?: (app: FastifyInstance) => Promise<void>;
  /** Hears of every route that is mounted; the authorization matrix collects them. */
  onRoute?: (route: RouteOptions) => void;
  /** When new work is refused; a busy machine must not make tests fail, so they have their own. */
  patience?: Patience;
  slow?: SlowLimits;
  /** Links to the styles of the built pages, for those that the server writes itself. */
  pageHead?: string;
}

/** The whole product behind one server: the same for production, development and tests. */
export async function createServer(
  engines: Engines,
  live: Live,
  {
    trustedProxies,
    mountSite,
    onRoute,
    patience = usualPatience,
    slow = usualSlowLimits,
    pageHead = '',
  }: ServerSettings,
): Promise<FastifyInstance> {
  const app = Fastify({
    bodyLimit: 1_000_000,
    requestTimeout: 0,
    http: httpOptionsFor(slow),
    keepAliveTimeout: 72_000,
    routerOptions: { maxParamLength: 300 },
    trustProxy: trustedProxies ?? false,
    genReqId: () => randomUUID(),
    logger: false,
    // An address that cannot be read meets no hook.
    frameworkErrors: (error, _request, reply) => {
      giveHeaders(reply, engines.house);
      return sayFailure(error, reply, engines.log);
    },
    forceCloseConnections: true,
  });
  app.setErrorHandler((error, _request, reply) => sayFailure(error, reply, engines.log));
  if (onRoute !== undefined) app.addHook('onRoute', onRoute);
  answerUnknown(app);
  guard(app, engines);
  cutSlowClients(app, slow);
  const shedding = await watchLoad(app, engines, patience);
  const mounting: Mounting = { engines, live, contextOf: contextsOf(engines, shedding) };
  await mountRpc(app, router, {
    contextOf: mounting.contextOf,
    log: engines.log,
  });
  mountHealth(app, engines);
  await mountRaw(app, mounting);
  mountCreatorPage(app, mounting, pageHead);
  await mountSite?.(app);
  return app;
}

/** Unknown addresses say what every "not yours" says. */
function answerUnknown(app: FastifyInstance): void {
  app.setNotFoundHandler((_request, reply) => {
    const { code, status, message } = refuse('NOT_FOUND');
    void reply.code(status).send({ code, message });
  });
}

/** Raw routes of the rooms: uploads, bytes, streams. */
async function mountRaw(app: FastifyInstance, mounting: Mounting): Promise<void> {
  const { engines, contextOf } = mounting;
  mountMe(app, contextOf);
  mountAvatars(app, mounting);
  await mountAvatarUpload(app, mounting);
  mountOriginals(app, engines, contextOf);
  await mountUploads(app, engines, contextOf);
  mountPreview(app, mounting);
  mountBytes(app, mounting);
  mountFilmBytes(app, mounting);
  mountViewing(app, mounting);
  await mountTraceUpload(app, mounting);
  mountTraceFiles(app, mounting);
  mountVisitsTable(app, mounting);
  mountLive(app, mounting);
  if (engines.house.isSandbox) await mountDev(app, mounting);
}

/** Headers and one log line a request. */
function guard(app: FastifyInstance, { house, log, clock }: Engines): void {
  mountHeaders(app, house);
  app.addHook('preValidation', async ({ body }, reply) => {
    if (!isStorable(body)) return sayRefusal(reply, 'VALIDATION', { message: 'Malformed input' });
  });
  app.addHook('onSend', async (_request, reply) => {
    if (reply.statusCode === 503 && !reply.hasHeader('retry-after')) reply.header('retry-after', '1');
  });
  const began = new WeakMap<FastifyRequest, number>();
  app.addHook('onRequest', async (request) => void began.set(request, clock()));
  app.addHook('onResponse', async (request, reply) => {
    const what = request.url.startsWith('/rpc/') ? request.url.split('?')[0] : request.routeOptions.url;
    log.info({
      requestId: request.id,
      method: request.method,
      what,
      status: reply.statusCode,
      ms: clock() - (began.get(request) ?? clock()),
    });
  });
}

/** One second late, and everything is refused that may be. */
const usualPatience: Patience = { loopMs: 1000, poolMs: 1000 };
const sampleMs = 500;
const queueLookMs = 5000;

/** How many opens, leases and renewals are decided at once: more of them would only wait for each other. */
const mostDeciders = 128;
/** How a call that decides leaves the turnstile. */
const leaving = new WeakMap<FastifyRequest, () => void>();

/**
 * How many calls of what must always work one session has under way at once: its connections are few, and nobody shall
 * take them from the others. Without a session of ours nothing is looked up at all.
 */
const mostOfOneSession = 8;

/** Lets in who may not be refused for the load, as long as they do not come in a crowd that would block itself. */
function openDoor(engines: Engines, { loopMs }: Patience) {
  const isOpenWide = loopMs === 0;
  const deciders = openTurnstile(isOpenWide ? Number.POSITIVE_INFINITY : mostDeciders);
  const sessions = openTurnstiles(isOpenWide ? Number.POSITIVE_INFINITY : mostOfOneSession);
  const turnstileOf = (request: FastifyRequest): Turnstile | undefined => {
    if (isDecider(request.url)) return deciders;
    const token = isUrgent(request.url) ? tokenOf({ caller: callerOf(request), engines }).token : undefined;
    return token === undefined ? undefined : sessions.of(token);
  };
  /** A call that decides stays in the turnstile until it has decided, or is over. @returns false when it is full */
  return (request: FastifyRequest, reply: FastifyReply): boolean => {
    const turnstile = turnstileOf(request);
    if (turnstile === undefined) return true;
    const leave = turnstile.enter();
    if (leave === undefined) return false;
    leaving.set(request, leave);
    reply.raw.once('close', leave);
    return true;
  };
}

/** Looks at the load, and refuses at the door what can be refused without a decision. */
async function watchLoad(app: FastifyInstance, engines: Engines, patience: Patience): Promise<Shedding> {
  const { database, jobs } = engines;
  await app.register(underPressure, { sampleInterval: sampleMs });
  let queueAgeSeconds = 0;
  const look = async () => {
    // A database that is away has its own answer.
    queueAgeSeconds = await jobs.ageSeconds().catch(() => queueAgeSeconds);
  };
  if (patience.loopMs > 0) {
    const looking = setInterval(look, queueLookMs).unref();
    app.addHook('onClose', async () => clearInterval(looking));
  }
  const signals = {
    // Without one sample it is said to be endless, and is known to be no less than this.
    loopDelayMs: () => {
      const { eventLoopDelay } = app.memoryUsage();
      return Number.isFinite(eventLoopDelay) ? eventLoopDelay : sampleMs;
    },
    poolWaitMs: () => database.waitMs(),
    queueAgeSeconds: () => queueAgeSeconds,
  };
  const shedding = openShedding(signals, patience);
  const letIn = openDoor(engines, patience);
  app.addHook('onRequest', async (request, reply) => {
    const kind = kindAtDoor(request.url);
    if (kind === undefined ? letIn(request, reply) : !shedding.isShedding(kind)) return;
    return sayRefusal(reply, 'UNAVAILABLE', { retryAfter: 1, message: 'Too many people at once. Please try again.' });
  });
  return shedding;
}

/** Calls that decide over links and visits; in a sandbox their clock can be turned. */
const ofLinks = /^\/(api\/((v1\/)?(view|links|insights)|live\/view)|m\/|rpc\/(viewing|links|insights))/;

const callerOf = (request: FastifyRequest): Caller => ({
  address: request.ip,
  userAgent: String(request.headers['user-agent'] ?? '').slice(0, 400),
  headers: request.headers,
  cookie: (name) => readCookie(request.headers.cookie, name),
});

/** Makes the context of a call; nothing is looked up before a handler asks. */
function contextsOf(usual: Engines, { isShedding }: Shedding) {
  const urgent = { ...usual, database: { ...usual.database, ...usual.database.urgent } };
  return (request: FastifyRequest, reply: FastifyReply): Context => {
    const engines = isUrgent(request.url) ? urgent : usual;
    let actor: Promise<Actor> | undefined;
    const now = new Date(ofLinks.test(request.url) ? engines.linkClock() : engines.clock());
    const context: Context = {
      requestId: request.id,
      now,
      engines,
      caller: callerOf(request),
      actor: () => {
        actor ??= findActor(context);
        return actor;
      },
      isShedding: (kind) => {
        leaving.get(request)?.(); // it has decided: what it sends now may take a slow line as long as it likes
        return isShedding(kind);
      },
      asSystem: (run) => engines.database.work({ kind: 'system' }, run),
      setCookie: (name, value, options) =>
        void reply.header('set-cookie', cookieLine(name, value, options, engines.house.isSecure)),
      clearCookie: (name) =>
        void reply.header('set-cookie', cookieLine(name, '', { maxAgeSeconds: 0 }, engines.house.isSecure)),
    };
    return context;
  };
}
