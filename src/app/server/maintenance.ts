import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Engines } from '#engines/engines.ts';
import { settingsOf } from '#features/settings/settings.ts';
import { describeMaintenance, siteStateOf } from '#features/settings/site-state.ts';
import { readAddresses } from '#wire/procedure-at.ts';
import type { ProcedureMeta } from '#wire/promise.ts';
import { sayRefusal } from '#wire/raw.ts';
import { router } from '../rooms.ts';

/** What works during maintenance beside the operator's desk. Why each of them does stands in docs/decisions/0510. */
const openProcedures: ReadonlySet<string> = new Set([
  // What the pages need to show where they stand.
  'accounts.me',
  'marketing.facts',
  'assistant.facts',
  // Signing in with every factor, so that administrators get in, and whatever takes a stolen account back.
  ...['signIn', 'signOut', 'unlock', 'resetPin', 'leaveApp', 'stayInApp'].map((name) => `accounts.${name}`),
  ...['askForPassword', 'setPassword', 'changePassword'].map((name) => `accounts.${name}`),
  ...['listSessions', 'endSession', 'signOutEverywhere'].map((name) => `accounts.${name}`),
  ...['show', 'begin', 'turnOn', 'signIn', 'enter'].map((name) => `secondFactor.${name}`),
  ...['beginSignIn', 'signIn', 'beginEnter', 'enter'].map((name) => `passkeys.${name}`),
  'emailChange.undo',
  // Taking back, closing, blocking, and what it takes to find the link or the viewer.
  ...['list', 'one', 'revokeCost', 'revoke', 'revokeAll', 'lockEverything'].map((name) => `links.${name}`),
  ...['list', 'revoke'].map((name) => `passes.${name}`),
  ...['grants', 'revokeGrant', 'block'].map((name) => `access.${name}`),
  ...['list', 'blockViewer', 'revokeLink'].map((name) => `security.${name}`),
  'tracing.blockViewer',
  'insights.lookingNow',
  'viewing.closeScreen',
  // Whoever is shown in a picture, and whoever reports one.
  ...['look', 'refuse', 'withdraw'].map((name) => `consents.${name}`),
  'reports.send',
  // Consent to be measured ends as easily as it is given.
  'marketing.forgetVisits',
  // What renews by itself at the provider can be ended in time.
  ...['plan', 'cancelPlan'].map((name) => `billing.${name}`),
  ...['subscriptions', 'cancelSubscription'].map((name) => `viewing.${name}`),
]);

/** Raw routes of the API that go on: the desk's, health, who is here, the provider's events, unsubscribing, and news of what is revoked. */
const openBelow =
  /^\/api\/(openapi\.json|health|me|admin\/.+|avatars\/:name|hooks\/[\w-]+|webhook_events|live(\/view|\/waiting)?)$/;

/** Everything of the API but that; pages, their files and bytes without keys are no part of it. */
const isClosedRoute = (pattern: string) => /^\/(api|files)(\/|$)/.test(pattern) && !openBelow.test(pattern);

const procedureAt = readAddresses(router);

/** Whether a call is answered during maintenance. */
function isOpen({ method, url, routeOptions }: FastifyRequest): boolean {
  const pattern = routeOptions.url ?? '';
  if (pattern !== '/rpc/*' && pattern !== '/api/v1/*') return !isClosedRoute(pattern);
  const procedure = procedureAt(method, url.split('?', 1)[0] ?? '');
  if (procedure === undefined) return true;
  const { scopes } = procedure.definition.meta as ProcedureMeta;
  return scopes !== undefined || openProcedures.has(procedure.name);
}

/** How long callers are asked to wait; the viewer's page comes back by itself a few times before it shows the sentence. */
const waitSeconds = { viewer: 1, others: 30 };

/** Refuses what does not work during maintenance, before anything of a call is read. */
export function refuseInMaintenance(app: FastifyInstance, engines: Engines): void {
  app.addHook('onRequest', async (request, reply) => {
    if (isOpen(request)) return;
    // A database that is away says so by itself.
    const settings = await settingsOf(engines).catch(() => undefined);
    if (settings === undefined) return;
    const state = siteStateOf(settings);
    if (!state.isMaintenance) return;
    const isViewer = request.routeOptions.url === '/api/view/:slug/open';
    return sayRefusal(reply, 'MAINTENANCE', {
      message: describeMaintenance(state),
      retryAfter: isViewer ? waitSeconds.viewer : waitSeconds.others,
    });
  });
}
