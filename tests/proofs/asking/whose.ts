import { newId } from '#kit/ids.ts';
import type { Target } from '#tests/proofs/asking/target.ts';
import { isRaw } from '#tests/proofs/asking/target.ts';
import { hasScope } from '#wire/context.ts';
import type { Actor } from './actors.ts';
import { type Lent, nouns, type Things } from './things.ts';
import type { World } from './world.ts';

export const somebodys = ['A', 'B'] as const;
export const nobodys = ['unknown', 'malformed', 'other kind', 'upper case'] as const;
/** Those of one with what the other has in them. */
export const mixed = ['A in B', 'B in A'] as const;
export type Whose = (typeof somebodys | typeof nobodys | typeof mixed)[number] | 'ended';

/** The things that a question names: somebody's, nobody's, or what is no id at all; with the tokens of whoever asks. */
export function thingsOf(world: World, whose: Whose, actor: Actor): Things {
  return { ...namedBy(world, whose, actor), ...tokensOf(world, actor, whose) };
}

function namedBy({ a, b, app }: World, whose: Whose, { endedVisit }: Actor): Things {
  const { things } = a;
  if (whose === 'A') return things;
  if (whose === 'B') return b.things;
  if (whose === 'ended') return { ...things, visit: endedVisit ?? things.visit };
  if (whose === 'A in B') return { ...b.things, ...sharedOf(things) };
  if (whose === 'B in A') return { ...things, ...sharedOf(b.things) };
  const named = nouns.map((noun) => {
    if (whose === 'unknown') return [noun, noun === 'slug' ? 'unknownunknownunknown1' : newId(app.engines.clock())];
    if (whose === 'malformed') return [noun, "' or 1=1 --"];
    if (whose === 'upper case') return [noun, things[noun].toUpperCase()];
    return [noun, noun === 'album' || noun === 'spareAlbum' ? things.link : things.album];
  });
  return { ...things, ...Object.fromEntries(named) };
}
const sharedOf = ({ medium, video, viewer, packId }: Things) => ({ medium, video, viewer, packId });

/** What an actor holds of these things; where that is nothing, tokens that are real and living, and of the other's things. */
function tokensOf({ a, b }: World, { visits, owns }: Actor, whose: Whose): Partial<Lent> {
  const [own, other] = whose === 'B' ? [b, a] : [a, b];
  if (visits === whose) return own.lent;
  const { leaseToken, videoToken } = other.lent;
  return { leaseToken, videoToken: owns === whose ? own.ownVideoToken : videoToken };
}

/** Whoever writes her own ids in capitals means the same things. */
export const inCapitals = (things: Things): Things => ({
  ...things,
  ...Object.fromEntries(nouns.map((noun) => [noun, things[noun].toUpperCase()])),
});

/** What must come of a question, from the words of the contract or beside the route and from who asks; never from the handler. */
export function isAllowed({ meta }: Target, actor: Actor, whose: Whose): boolean {
  const { owns, may, visits } = actor;
  if (meta.who.includes('visitor')) return true;
  if (meta.who.includes('viewer') && visits === whose) return true;
  if (!meta.who.includes(may === 'admin' ? 'admin' : 'creator') || may === 'visitor') return false;
  if (!isInScope(meta, actor)) return false;
  if (meta.needsPlan === true && (may === 'lapsed' || may === 'signed-in')) return false;
  if (meta.needsSetUp === true && may === 'signed-in') return false;
  return meta.subject === 'none' || owns === whose;
}

const isInScope = ({ scopes }: Target['meta'], { scopes: own = ['owner'] }: Actor): boolean =>
  scopes === undefined || scopes.some((scope) => hasScope(own, scope));

/** Returns whether it has to succeed: an account in which something is missing may be refused for that by a raw route. */
export function mustSucceed(target: Target, actor: Actor, whose: Whose): boolean {
  if (!isRaw(target)) return isAllowed(target, actor, whose);
  if (target.meta.who.includes('visitor')) return actor.name === 'visitor';
  return actor.may !== 'lapsed' && actor.may !== 'signed-in' && isAllowed(target, actor, whose);
}
