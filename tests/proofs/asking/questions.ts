import { type Door, isRaw, type Target } from '#tests/proofs/asking/target.ts';
import type { Actor } from './actors.ts';
import { bodyOf } from './bodies.ts';
import { eachOf, hasIdInPath, type Question } from './driver.ts';
import { nounsOf } from './mixtures.ts';
import { spellingNames, spellingsOfRoutes } from './spellings.ts';
import { inCapitals, isAllowed, mustSucceed, nobodys, somebodys, thingsOf, type Whose } from './whose.ts';
import type { World } from './world.ts';

/** A target with one who asks it. */
interface Pair {
  target: Target;
  actor: Actor;
  /** A running number, by which the short form takes turns. */
  turn: number;
  /** Asked also in ways in which the short form asks one owner of each target only. */
  isWhole: boolean;
}

/** What is asked of whom. */
export interface Range {
  targets: readonly Target[];
  /** Default: everybody. */
  actors?: readonly Actor[];
  /** The short form asks through the second door, of nobody's ids and in other spellings by turns. */
  isFull: boolean;
}

const pick = <T>(all: readonly T[], turn: number): T => all[turn % all.length] as T;

/** Every target with everybody who asks it. */
function pairsOf(world: World, { targets, actors = world.actors, isFull }: Range): Pair[] {
  return targets.flatMap((target, n) => {
    const owners = actors.filter((actor) => somebodys.some((whose) => isAllowed(target, actor, whose)));
    const asking = actors.filter((actor) => actor.isOnlyAtDesk !== true || target.meta.scopes !== undefined);
    return asking.map((actor, m) => ({ target, actor, turn: n + m, isWhole: isFull || pick(owners, n) === actor }));
  });
}

/** Everything that must be refused. */
export function* refusedQuestions(world: World, range: Range): Generator<Question> {
  for (const pair of pairsOf(world, range)) {
    yield* refusedOf(world, pair, range.isFull);
    yield* twiceOf(world, pair);
  }
}

/** Her own ids in capitals are hers: that they work is asked where her own are. */
const isOwnCapitals = ({ owns, visits }: Actor, whose: Whose) =>
  whose === 'upper case' && (owns === 'A' || visits === 'A');

function* refusedOf(world: World, { target, actor, turn }: Pair, isFull: boolean): Generator<Question> {
  const hasEnded = actor.endedVisit !== undefined && isOfVisits(target);
  const asked = [...somebodys, ...nobodysOf(target, turn, isFull), ...(hasEnded ? ['ended' as const] : [])].filter(
    (whose) => !isAllowed(target, actor, whose) && !isOwnCapitals(actor, whose),
  );
  const about = (whose: Whose, door: Door, spelling?: string): Question => {
    return { target, actor, whose, door, things: thingsOf(world, whose, actor), spelling };
  };
  const ofSomebody = asked.filter((whose) => whose === 'A' || whose === 'B' || whose === 'ended');
  for (const [n, door] of target.doors.entries()) {
    for (const whose of n === 0 || isFull ? asked : ofSomebody.slice(0, 1)) yield about(whose, door);
    for (const [m, whose] of ofSomebody.entries())
      for (const spelling of spellingsOf(target, turn + 3 * n + 5 * m, isFull)) yield about(whose, door, spelling);
  }
}

const isOfVisits = ({ meta }: Target) => meta.who.includes('viewer') || meta.subject === 'visit';

function nobodysOf(target: Target, turn: number, isFull: boolean): readonly Whose[] {
  if (isFull) return nobodys;
  return isRaw(target) ? ['unknown', pick(nobodys.slice(1), turn)] : [pick(nobodys, turn)];
}

/** All of them of a raw route, two of a procedure; in the short form one by turns, and none. */
function spellingsOf(target: Target, turn: number, isFull: boolean): readonly string[] {
  if (isRaw(target)) return isFull ? spellingsOfRoutes : [pick(spellingsOfRoutes, turn)];
  return isFull ? [pick(spellingNames, turn), pick(spellingNames, turn + 7)] : [];
}

/** The other's things in the path, and one's own beside: one's own open nothing of the other's. */
function* twiceOf(world: World, { target, actor, isWhole }: Pair): Generator<Question> {
  if (!isWhole || target.meta.subject === 'none' || !hasIdInPath(target)) return;
  const own = somebodys.find((whose) => isAllowed(target, actor, whose));
  if (own === undefined) return;
  const beside = thingsOf(world, own, actor);
  for (const whose of somebodys.filter((other) => other !== own))
    yield { target, actor, whose, door: 'rest', things: thingsOf(world, whose, actor), beside };
}

/** Everything that has to work, each time about things that nobody has spent yet; what every visitor may ask, all of them at once. */
export async function askThatWorks(world: World, range: Range, work: (question: Question) => Promise<unknown>) {
  const askPair = async (pair: Pair) => {
    const whoses = pair.target.meta.subject === 'none' ? (['A'] as const) : somebodys;
    for (const whose of whoses.filter((one) => mustSucceed(pair.target, pair.actor, one)))
      for await (const question of allowedOf(world, pair, whose, range)) await work(question);
  };
  const pairs = pairsOf(world, range);
  for (const target of range.targets)
    await eachOf(
      pairs.filter((pair) => pair.target === target),
      askPair,
      target.meta.who.includes('visitor') ? 6 : 1,
    );
}

async function* allowedOf(world: World, pair: Pair, whose: 'A' | 'B', { isFull }: Range): AsyncGenerator<Question> {
  const { target, actor, turn, isWhole } = pair;
  const about = async (door: Door) => ({ target, actor, whose, door, things: await unspent(world, pair, whose) });
  for (const door of isFull ? target.doors : [pick(target.doors, turn)]) {
    yield about(door);
    if (!isWhole || isRaw(target) || target.meta.subject === 'none') continue;
    const own = await about(door);
    yield { ...own, whose: `${whose} in capitals`, things: inCapitals(own.things) };
    if (!hasIdInPath(target)) continue;
    for (const other of somebodys.filter((one) => one !== whose))
      yield { ...(await about('rest')), beside: world.sideOf(other).things };
  }
}

/** What an upload is spent by. */
const spendsUpload = /^(PATCH|POST|DELETE) \/files\/:id$/;

/** Somebody's things; those that a call may spend are new. */
async function unspent(world: World, { target, actor }: Pair, whose: 'A' | 'B') {
  const things = thingsOf(world, whose, actor);
  const { procedure, name } = target;
  if (spendsUpload.test(name)) return { ...things, upload: await world.begin(whose) };
  if (procedure === undefined || procedure.method === 'GET' || target.meta.subject === 'none') return things;
  return {
    ...things,
    ...(await world.fresh(
      whose,
      nounsOf((named) => bodyOf(name, named)),
    )),
  };
}
