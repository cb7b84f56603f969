import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Engines } from '#engines/engines.ts';
import { findActor } from '#features/accounts/browser-session.ts';
import type { Actor, Context } from '#wire/context.ts';
import { cookieLine } from '#wire/cookies.ts';
import { callerOf, leavePlace } from './admission-control.ts';
import { isUrgent, type Shedding } from './shedding.ts';

/** Calls that decide over links and visits; in a sandbox their clock can be turned. */
const ofLinks = /^\/(api\/((v1\/)?(view|links|insights)|live\/view)|m\/|rpc\/(viewing|links|insights|money|passes))/;

/** Makes the context of a call; nothing is looked up before a handler asks. */
export function contextsOf(
  usual: Engines,
  { isShedding }: Shedding,
  known: Pick<Context, 'pulse' | 'functions' | 'ownProcess'>,
  noteActor: (request: FastifyRequest, actor: Actor) => void,
) {
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
      ...known,
      actor: () => {
        actor ??= findActor(context).then((found) => {
          noteActor(request, found);
          return found;
        });
        return actor;
      },
      isShedding: (kind) => {
        leavePlace(request); // it has decided: what it sends now may take a slow line as long as it likes
        return isShedding(kind);
      },
      waitOutside: () => leavePlace(request),
      asSystem: (run) => engines.database.work({ kind: 'system' }, run),
      setCookie: (name, value, options) =>
        void reply.header('set-cookie', cookieLine(name, value, options, engines.installation.isSecure)),
      clearCookie: (name) =>
        void reply.header('set-cookie', cookieLine(name, '', { maxAgeSeconds: 0 }, engines.installation.isSecure)),
    };
    return context;
  };
}
