import type { Engines } from '#engines/engines.ts';
import type { Context } from '#wire/context.ts';
import type { OpenRequest } from '../contract.ts';
import { callerKindOf, deviceOf } from '../user-agent.ts';
import { type OpenersCookie, placeOf, withoutCookie } from '../viewer-cookie.ts';
import type { Opener } from './admit.ts';
import { resume } from './resume.ts';

/** Who comes, and what a resume code that was typed led to. */
export interface Met {
  opener: Opener;
  cookie: OpenersCookie;
  wrongCode?: { triesLeft: number };
  retryAfterSeconds?: number;
}

/** By the cookie, by a resume code, or as somebody new. */
export async function meet(
  engines: Engines,
  context: Context,
  cookie: OpenersCookie,
  slug: string,
  body: OpenRequest,
): Promise<Met> {
  const { caller } = context;
  const opener: Opener = {
    secretHash: cookie.secretHash,
    device: deviceOf(caller.userAgent),
    place: placeOf(engines, caller, body.timeZone),
    timeZone: body.timeZone,
    screen: body.screen,
    // Whoever says so is not counted, and is given no place where places are few: nobody looks past a limit by saying it.
    suspect: body.isDriven || callerKindOf(caller.headers) === 'driven' ? 'automation' : undefined,
  };
  if (body.resumeCode === undefined || !cookie.isBrought) return { opener, cookie };
  const resumed = await resume(engines, context, { slug, typed: body.resumeCode, opener });
  return 'secretHash' in resumed
    ? { opener: { ...opener, ...resumed }, cookie: withoutCookie(cookie) }
    : { opener, cookie, ...resumed };
}
