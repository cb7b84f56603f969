import { createRouterClient } from '@orpc/server';
import type { Engines } from '#engines/engines.ts';
import { findActor } from '#features/accounts/browser-session.ts';
import { newId } from '#kit/ids.ts';
import type { Actor, Context } from '#wire/context.ts';
import { openLogLevel } from '../log-level.ts';
import { router } from '../rooms.ts';
import { version } from '../version.ts';

/** Cookies of somebody who calls from inside this process. */
type CookieJar = Map<string, string>;

/** The same engines, at another moment. */
export const atMoment = (engines: Engines, now: Date): Engines => {
  const clock = () => now.getTime();
  return { ...engines, clock, linkClock: clock };
};

/** A call from inside this process. @param jar what a browser would hold */
export function contextInside(engines: Engines, jar: CookieJar): Context {
  let actor: Promise<Actor> | undefined;
  const context: Context = {
    pulse: { version, known: () => [], watch: async () => [] },
    ownProcess: { settings: [], logLevel: openLogLevel({ level: 'info' }, engines.clock), requestsOf: () => [] },
    functions: () => [],
    requestId: newId(engines.clock()),
    now: new Date(engines.clock()),
    engines,
    caller: {
      address: '127.0.0.1',
      userAgent: 'PrivateFans',
      headers: { 'x-csrf-token': 'orpc' },
      cookie: (name) => jar.get(name),
    },
    actor: () => {
      actor ??= findActor(context);
      return actor;
    },
    isShedding: () => false,
    waitOutside: () => undefined,
    asSystem: (run) => engines.database.work({ kind: 'system' }, run),
    setCookie: (name, value) => void jar.set(name, value),
    clearCookie: (name) => void jar.delete(name),
  };
  return context;
}

/**
 * Somebody who calls the product from inside this process, with a cookie jar as a browser has it: seeds and the command
 * line walk the same way as people do.
 */
export const openCaller = (engines: Engines, jar: CookieJar = new Map()) =>
  createRouterClient(router, { context: () => contextInside(engines, jar) });
export type Caller = ReturnType<typeof openCaller>;
