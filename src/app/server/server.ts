import { randomUUID } from 'node:crypto';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, type RouteOptions } from 'fastify';
import type { Engines } from '#engines/engines.ts';
import { hasAdminSession, tokenOf } from '#features/accounts/browser-session.ts';
import { mountAccounts } from '#features/accounts/mount.ts';
import { mountUploads } from '#features/albums/uploads.ts';
import { checkLists } from '#features/audit/checking-lists.ts';
import { mountMetrics } from '#features/audit/metrics-route.ts';
import { traceBilling } from '#features/credits/trace-billing.ts';
import { mountVisitsTable } from '#features/insights/csv-route.ts';
import { mountCreatorPage } from '#features/marketing/creator-page.ts';
import { mountMedia } from '#features/media/mount.ts';
import { mountMoney } from '#features/money/mount.ts';
import { mountNotices } from '#features/notices/mount.ts';
import { mountPrivacy } from '#features/privacy/mount.ts';
import { mountReports } from '#features/reports/mount.ts';
import { mountTracing } from '#features/tracing/mount.ts';
import { mountViewing } from '#features/viewing/mount.ts';
import { anybodyBytes } from '#wire/body-limits.ts';
import type { CallCounter, FunctionEntry } from '#wire/functions.ts';
import type { Live } from '#wire/live.ts';
import { whyForeign } from '#wire/origin.ts';
import type { LogLevel, OwnProcess } from '#wire/own-process.ts';
import type { Subject, Who } from '#wire/promise.ts';
import type { Pulse } from '#wire/pulse.ts';
import { type Mounting, sayFailure, sayRefusal } from '#wire/raw.ts';
import { parseShallowJson } from '#wire/read-body.ts';
import { refuse } from '#wire/refusals.ts';
import { mountRpc } from '#wire/rpc.ts';
import { isStorable } from '#wire/storable.ts';
import { mountDev } from '../dev/dev-pages.ts';
import { openCallFigures } from '../figures/call-figures.ts';
import { listProbes } from '../health/probes.ts';
import { openPulse } from '../health/pulse.ts';
import { followLogLevel, openLogLevel } from '../log-level.ts';
import { router } from '../rooms.ts';
import { isCrooked } from './addresses.ts';
import { callerOf, openDoor } from './admission-control.ts';
import { rememberRequests } from './answered-requests.ts';
import { contextsOf } from './contexts.ts';
import { openFunctionList, routeName } from './function-list.ts';
import { giveHeaders, mountHeaders } from './headers.ts';
import { mountHealth } from './health.ts';
import { makePage, type Page } from './html-page.ts';
import { mountLive } from './live-routes.ts';
import { openLoopClock } from './loop-clock.ts';
import { refuseInMaintenance } from './maintenance.ts';
import { mountPreviewPages } from './preview-page.ts';
import { mountShareTarget } from './share-target.ts';
import { type Patience, usualPatience } from './shedding.ts';
import type { SiteOf } from './site.ts';
import { cutSlowClients, type SlowLimits, usualSlowLimits } from './slow-clients.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Who may succeed with a raw route; the authorization matrix reads it. */
    who?: readonly (Who | 'anybody' | 'developer')[];
    subject?: Subject;
    /** Its body is a file, which may take as long as it likes while it gets on. */
    isUpload?: boolean;
    /** It reads, changes and gives nothing, whoever asks: another site's page may as well. */
    changesNothing?: boolean;
  }
}

export interface ServerSettings {
  trustedProxies: string | undefined;
  /** Mounts the pages; left out in development, where Vite serves them, and in most tests. */
  mountSite?: (app: FastifyInstance, isAdministrator: SiteOf['isAdministrator']) => Promise<void>;
  /** Hears of every route that is mounted; the authorization matrix collects them. */
  onRoute?: (route: RouteOptions) => void;
  /** When new work is refused; a busy machine must not make tests fail, so they have their own. */
  patience?: Patience;
  slow?: SlowLimits;
  /** Links to the styles of the built pages, for those that the server writes itself. */
  pageHead?: string;
  /** Address of the script of creators' pages. */
  creatorScript?: string | undefined;
  /** Who looks at the parts of the installation; left out, it is looked at while an administrator watches. */
  pulse?: Pulse;
  /** What an owner may read of the environment; left out, nothing of it. */
  settings?: OwnProcess['settings'];
  /** The level of this process' log; left out, raising it changes nothing. */
  logLevel?: LogLevel;
  /** Where calls are counted; left out, they are in memory only. */
  calls?: CallCounter;
  /** The viewer's page as a creator previews it; in development Vite serves it. */
  previewPage?: Page;
}

/** How finely it is noticed that this process was away. */
const mostStepMs = 250;

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
    creatorScript,
    pulse,
    calls = openCallFigures(engines),
    settings = [],
    logLevel = openLogLevel({ level: 'info' }, engines.clock),
    previewPage = makePage('', {}, undefined),
  }: ServerSettings,
): Promise<FastifyInstance> {
  const clock = openLoopClock(Math.min(slow.checkMs, mostStepMs));
  const door = openDoor(engines, { patience, slow, clock, isProxied: trustedProxies !== undefined });
  const app = Fastify({
    serverFactory: door.makeServer,
    bodyLimit: anybodyBytes,
    routerOptions: { maxParamLength: 300 },
    trustProxy: trustedProxies ?? false,
    genReqId: () => randomUUID(),
    logger: false,
    // An address that cannot be read meets no hook.
    frameworkErrors: (error, _request, reply) => {
      giveHeaders(reply, engines.installation);
      return sayFailure(error, reply, engines.log);
    },
    // Each of the door's servers says so itself; Fastify would hear of the first one only.
    clientErrorHandler: () => undefined,
    forceCloseConnections: true,
  });
  app.setErrorHandler((error, _request, reply) => sayFailure(error, reply, engines.log));
  const functions = listRoutes(app, onRoute);
  guard(app, engines, calls);
  const looking = pulse ?? openOwnPulse(app, engines);
  app.addHook('onClose', async () => clock.close());
  cutSlowClients(app, { ...slow, clock }, engines.installation);
  refuseEarly(app, engines);
  const shedding = await door.mount(app);
  const { noteActor, ...own } = openOwnProcess(app, { engines, live, settings, logLevel });
  const known = { pulse: looking, functions, ...own };
  const mounting: Mounting = { engines, live, contextOf: contextsOf(engines, shedding, known, noteActor) };
  await mountRpc(app, router, {
    contextOf: mounting.contextOf,
    log: engines.log,
    checkAnswer: checkLists,
    noteCall: (...call) => calls.note('procedure', ...call),
    hasSession: (request) => tokenOf({ caller: callerOf(request), engines }).token !== undefined,
  });
  mountHealth(app, engines, looking);
  await mountRaw(app, mounting);
  await mountPages(app, mounting, { pageHead, creatorScript, previewPage });
  await mountSite?.(app, (request) => hasAdminSession({ caller: callerOf(request), engines }));
  return app;
}

/** Collects the routes that are mounted from now on. @returns all that can be called */
function listRoutes(app: FastifyInstance, onRoute: ServerSettings['onRoute']): () => readonly FunctionEntry[] {
  const functions = openFunctionList();
  app.addHook('onRoute', functions.noteRoute);
  if (onRoute !== undefined) app.addHook('onRoute', onRoute);
  return functions.list;
}

/** Ends with its server. */
function openOwnPulse(app: FastifyInstance, engines: Engines): Pulse {
  const pulse = openPulse(listProbes(engines), engines);
  app.addHook('onClose', async () => pulse.close());
  return pulse;
}

/** Unknown addresses say what every "not yours" says. */
function answerUnknown(app: FastifyInstance): void {
  parseShallowJson(app);
  app.setNotFoundHandler((_request, reply) => void sayUnknown(reply));
}

function sayUnknown(reply: FastifyReply): FastifyReply {
  const { code, status, message } = refuse('NOT_FOUND');
  return reply.code(status).send({ code, message });
}

/** Whatever no route need remember: nothing of a call is read before. */
function refuseEarly(app: FastifyInstance, engines: Engines): void {
  refuseCrooked(app);
  refuseForeign(app, engines.installation);
  refuseInMaintenance(app, engines);
}

/** One spelling an address, before anybody judges a call by it: in a crowd what must always work is known by its address. */
function refuseCrooked(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ routeOptions, url }, reply) => {
    if (isCrooked(routeOptions.url, url)) return sayUnknown(reply);
  });
}

/** No route does what another site's page asks, whatever it is: a new one need not remember. */
function refuseForeign(app: FastifyInstance, installation: Engines['installation']): void {
  refuseCrooked(app);
  const words = {
    foreign: {},
    elsewhere: { message: `PrivateFans is set up for ${installation.publicUrl}. Open it there and try again.` },
    silent: { message: 'Send the header x-csrf-token with cookies, or use a bearer token.' },
  };
  app.addHook('onRequest', async (request, reply) => {
    const why = request.routeOptions.config?.changesNothing ? undefined : whyForeign(installation, request);
    if (why !== undefined) return sayRefusal(reply, 'CSRF', words[why]);
  });
}

/** Raw routes of the rooms: uploads, bytes, streams. */
async function mountRaw(app: FastifyInstance, mounting: Mounting): Promise<void> {
  const { engines, contextOf } = mounting;
  mountAccounts(app, mounting);
  await mountUploads(app, engines, contextOf);
  await mountMedia(app, mounting);
  mountViewing(app, mounting);
  await mountTracing(app, mounting, traceBilling);
  mountPrivacy(app, mounting);
  mountReports(app, mounting);
  mountVisitsTable(app, mounting);
  mountMetrics(app, mounting);
  await mountMoney(app, mounting);
  mountLive(app, mounting);
  if (engines.installation.isSandbox) await mountDev(app, mounting);
}

/** Pages that the server writes itself. */
async function mountPages(
  app: FastifyInstance,
  mounting: Mounting,
  { pageHead, creatorScript, previewPage }: { pageHead: string; creatorScript: string | undefined; previewPage: Page },
): Promise<void> {
  await mountNotices(app, mounting, pageHead);
  mountCreatorPage(app, mounting, { pageHead, script: creatorScript });
  mountPreviewPages(app, mounting, previewPage);
  await mountShareTarget(app, pageHead);
}

/** Begins to remember what people are answered, and to follow the log level that an owner asks of every process. */
function openOwnProcess(
  app: FastifyInstance,
  { engines, live, settings, logLevel }: Pick<OwnProcess, 'settings' | 'logLevel'> & { engines: Engines; live: Live },
) {
  const requests = rememberRequests(app, engines.clock);
  live.watch(followLogLevel(logLevel), () => undefined);
  return { ownProcess: { settings, logLevel, requestsOf: requests.of }, noteActor: requests.noteActor };
}

/** Where procedures are; what else stands behind /rpc/ is whatever somebody said, a slug or an address too. */
const procedurePaths = new Set(
  Object.entries(router).flatMap(([room, procedures]) => Object.keys(procedures).map((name) => `/rpc/${room}/${name}`)),
);

/** Headers, one log line a request, and what unknown addresses say. */
function guard(app: FastifyInstance, { installation, log, clock }: Engines, calls: CallCounter): void {
  answerUnknown(app);
  countRoutes(app, calls);
  mountHeaders(app, installation);
  app.addHook('preValidation', async ({ body }, reply) => {
    if (!isStorable(body)) return sayRefusal(reply, 'VALIDATION', { message: 'Malformed input' });
  });
  app.addHook('onSend', async (_request, reply) => {
    if (reply.statusCode === 503 && !reply.hasHeader('retry-after')) reply.header('retry-after', '1');
  });
  const began = new WeakMap<FastifyRequest, number>();
  app.addHook('onRequest', async (request) => void began.set(request, clock()));
  app.addHook('onResponse', async (request, reply) => {
    const [pathname = ''] = request.url.split('?', 1);
    const what = procedurePaths.has(pathname) ? pathname : request.routeOptions.url;
    log.info({
      requestId: request.id,
      method: request.method,
      what,
      status: reply.statusCode,
      ms: clock() - (began.get(request) ?? clock()),
    });
  });
}

/** Counts the calls of raw routes; a stream lasts as long as somebody listens, which says nothing. */
function countRoutes(app: FastifyInstance, calls: CallCounter): void {
  app.addHook('onResponse', async ({ method, routeOptions: { url } }, reply) => {
    const name = routeName(method, url);
    const isStream = url?.startsWith('/api/live') === true;
    if (name !== undefined) calls.note('route', name, isStream ? null : reply.elapsedTime, reply.statusCode >= 500);
  });
}
