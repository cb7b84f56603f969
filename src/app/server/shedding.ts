import type { Sheddable } from '#wire/context.ts';

/** What is told of the machine. */
export interface Signals {
  /** How late the event loop is. */
  loopDelayMs(): number;
  /** How long the call has waited that waits longest for a connection. */
  poolWaitMs(): number;
  /** Age of the oldest job that could run. */
  queueAgeSeconds(): number;
}

/** Who is refused when there is too much to do. */
export interface Shedding {
  /** Whether calls of this kind are refused just now. */
  isShedding(kind: Sheddable): boolean;
}

/**
 * From which share of the patience on a kind is refused: what can wait longest goes first, so that what is left is served
 * well instead of everything badly.
 */
const shares: Record<Sheddable, number> = {
  insights: 0.1,
  metrics: 0.2,
  opens: 0.4,
  renewals: 0.7,
  rest: 1,
  assets: 2,
};

/** A queue that is this old says that the lateness will last: what can wait anyway is refused at half of it. */
const oldQueueSeconds = 60;

/** At which lateness everything is refused that may be; 0 never refuses for that reason. */
export interface Patience {
  loopMs: number;
  poolMs: number;
}

/** One second late, and everything is refused that may be, but for the files of pages: they at two. */
export const usualPatience: Patience = { loopMs: 1000, poolMs: 1000 };

/** Makes up its mind again at every question. */
export function openShedding(signals: Signals, { loopMs, poolMs }: Patience): Shedding {
  const spent = (ms: number, patienceMs: number) => (patienceMs === 0 ? 0 : ms / patienceMs);
  return {
    isShedding(kind) {
      const canWait = kind === 'insights' || kind === 'metrics';
      const share = shares[kind] / (canWait && signals.queueAgeSeconds() >= oldQueueSeconds ? 2 : 1);
      return Math.max(spent(signals.loopDelayMs(), loopMs), spent(signals.poolWaitMs(), poolMs)) >= share;
    },
  };
}

/** Taking back, signing out and health are answered under any load, over connections of their own. */
const urgent = new Set([
  '/api/health',
  ...['links/revoke', 'links/revokeAll', 'links/lockEverything', 'viewing/closeScreen'].map((name) => `/rpc/${name}`),
  ...['signOut', 'signOutEverywhere', 'endSession'].map((name) => `/rpc/accounts/${name}`),
  ...[
    'links/revoke',
    'links/revoke-all',
    'links/lock-everything',
    'view/close-screen',
    'sign-out',
    'sign-out-everywhere',
  ].map((path) => `/api/v1/${path}`),
]);
/** The same for events of a payment provider, and for the end of one session by its path. */
const urgentBelow = /^\/api\/(hooks|v1\/sessions)\//;

/** Costs next to nothing. */
const cheap = /^\/healthz$/;

/** These decide first and refuse then: "this has ended" is said under any load. */
const decidesItself = /^\/(api\/view\/(leases|[^/]+\/(open|checkout))|rpc\/viewing\/renew|api\/v1\/view\/renew)$/;

const kinds: readonly [RegExp, Sheddable][] = [
  // Refused last: a page that misses one built file stands naked or not at all.
  [/^\/(assets|viewer)\//, 'assets'],
  [/^\/(rpc|api|api\/v1)\/insights\b|^\/(rpc\/assistant\/chat|api\/v1\/nuclear-ai-chat)$/, 'insights'],
  [
    /^\/(rpc\/(marketing\/|assistant\/facts$|accounts\/captureLead$)|api\/v1\/(capture-email-lead|facts|help-facts)$)/,
    'metrics',
  ],
];

const pathOf = (url: string) => url.split('?', 1)[0] ?? '';

/** Returns whether a call may neither be refused nor wait in the crowd. */
export function isUrgent(url: string): boolean {
  const path = pathOf(url);
  return urgent.has(path) || urgentBelow.test(path);
}

/** Whether a call decides over a link or a visit by itself, and refuses after that. */
export const isDecider = (url: string): boolean => decidesItself.test(pathOf(url));

/** The link that a call decides over, where its address names it. */
export const linkOf = (url: string): string | undefined =>
  /^\/api\/view\/([^/?]+)\/(?:open|checkout)(?:\?|$)/.exec(url)?.[1];

/** As what a call is refused at the door; undefined when it is let in under any load. */
export function kindAtDoor(url: string): Sheddable | undefined {
  const path = pathOf(url);
  if (isUrgent(path) || cheap.test(path) || decidesItself.test(path)) return undefined;
  return kinds.find(([pattern]) => pattern.test(path))?.[1] ?? 'rest';
}
