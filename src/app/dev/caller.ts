import { createRouterClient } from '@orpc/server';
import type { Engines } from '#engines/engines.ts';
import { findActor } from '#features/accounts/session.ts';
import { newId } from '#kit/ids.ts';
import type { Actor, Context } from '#wire/context.ts';
import { router } from '../rooms.ts';

/**
 * Somebody who calls the product from inside this process, with a cookie jar as a browser has it: seeds and the command
 * line walk the same way as people do.
 */
export function openCaller(engines: Engines) {
  const jar = new Map<string, string>();
  const contextOf = (): Context => {
    let actor: Promise<Actor> | undefined;
    const context: Context = {
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
  };
  return createRouterClient(router, { context: contextOf });
}
export type Caller = ReturnType<typeof openCaller>;
