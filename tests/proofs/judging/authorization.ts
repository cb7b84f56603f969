import { settleCredits } from '#features/credits/lots/settling.ts';
import { isRaw, type Target } from '#tests/proofs/asking/target.ts';
import { hashTables } from '#tests/support/database/tables.ts';
import { readRows } from '#tests/support/people.ts';
import type { Actor } from '../asking/actors.ts';
import { ask, type Call, eachOf, type Heard, nameOf, type Question } from '../asking/driver.ts';
import { findExcuses } from '../asking/needs-more.ts';
import { canaries } from '../asking/owners.ts';
import { askThatWorks, type Range, refusedQuestions } from '../asking/questions.ts';
import { nouns } from '../asking/things.ts';
import type { World } from '../asking/world.ts';
import { askToEndSessions, endsSessions } from './sessions.ts';

/** What came of everything that was asked. */
export interface Verdicts {
  requests: number;
  /** Of those, answers that gave what was asked for. */
  given: number;
  /** Given to somebody whose it is not. */
  leaks: string[];
  /** Not given to whom it belongs, and what nobody was given. */
  falseDenials: string[];
  bugs: string[];
  /** Refused for its form alone: whoever asked never came to an authorization. */
  untested: string[];
}

/** Refusals of a procedure; raw routes have more. */
const refusals = new Set([401, 402, 403, 404, 409, 410, 413, 415, 422, 429]);
/** Those that an authorization gives; every other one may come before it. */
const authorizing = new Set([401, 403, 404, 410]);
const isGiven = ({ status }: Heard) => status >= 200 && status < 300;

/** Words of the other side that must not be in an answer. @param given whose things are given to whoever asks */
const foreignTo = ({ owns }: Actor, given: string | undefined): string[] =>
  (['A', 'B'] as const).filter((whose) => whose !== owns && whose !== given).map((whose) => canaries[whose]);

/** Says of each answer whether it is the one that its asker must get. */
export class Judge {
  readonly #found: Omit<Verdicts, 'untested'> = { requests: 0, given: 0, leaks: [], falseDenials: [], bugs: [] };
  readonly #reached = new Map<string, boolean>();
  readonly #wasGiven = new Map<string, boolean>();
  readonly #world: World;
  readonly #change: ((call: Call) => Call) | undefined;

  /** @param change how calls are made, when not as they should be */
  constructor(world: World, change?: (call: Call) => Call) {
    this.#world = world;
    this.#change = change;
  }

  async #ask(question: Question, given?: string): Promise<Heard> {
    // They all come from one address, and whoever asked too often is refused for that, whatever it was about.
    if (isRaw(question.target)) await readRows(this.#world.app, 'delete from rate_limits');
    const received = await ask(this.#world, question, this.#change);
    this.#found.requests++;
    if (isGiven(received)) this.#found.given++;
    if (received.status >= 500) this.#found.bugs.push(`${nameOf(question)}: ${received.status}`);
    for (const word of foreignTo(question.actor, given))
      if (received.text.includes(word)) this.#found.leaks.push(`${nameOf(question)}: a canary`);
    return received;
  }

  /** One question that must be refused. */
  async refuse(question: Question): Promise<void> {
    const { target, actor, door, spelling, beside } = question;
    const { status } = await this.#ask(question);
    if (status < 400 && target.meta.neutral !== true) this.leak(question, String(status));
    if (status >= 400 && status < 500 && !isRaw(target) && !refusals.has(status))
      this.#found.bugs.push(`${nameOf(question)}: ${status}`);
    if (spelling !== undefined || beside !== undefined) return;
    const key = `${target.name} as ${actor.name}${isRaw(target) ? '' : ` by ${door}`}`;
    const isReached = authorizing.has(status) || (status < 400 && target.meta.neutral === true);
    this.#reached.set(key, isReached || this.#reached.get(key) === true);
  }

  /** From each of these somebody has to get something. */
  expectGiven(targets: readonly Target[]): void {
    for (const { name } of targets) this.#wasGiven.set(name, this.#wasGiven.get(name) === true);
  }

  /** One that has to succeed; what its address names a second time is not changed by it. */
  async allow(question: Question): Promise<void> {
    const { target, beside } = question;
    const naming = nouns.flatMap((noun) => beside?.[noun] ?? []);
    const before = beside && (await hashTables(this.#world.app, { naming }));
    const received = await this.#ask(question, question.whose);
    const { status, code, text } = received;
    const excuses = findExcuses(target.name, this.#world.app.engines.sandbox !== undefined);
    const mayFail = excuses.some((one) => one === code);
    this.#wasGiven.set(target.name, isGiven(received) || mayFail || this.#wasGiven.get(target.name) === true);
    if (!isGiven(received) && !mayFail)
      this.#found.falseDenials.push(`${nameOf(question)}: ${status} ${text.slice(0, 160)}`);
    if (target.name === 'HEAD /files/:id' && received.headers.get('upload-offset') !== '0')
      this.leak(question, 'somebody else has written into it');
    if (before === undefined) return;
    const after = await hashTables(this.#world.app, { naming });
    for (const [table, hash] of Object.entries(after))
      if (hash !== before[table]) this.leak(question, `a row of ${table}`);
  }

  /** Hashes of all rows before and after what was refused. */
  compare(before: Record<string, string>, after: Record<string, string>): void {
    for (const [table, hash] of Object.entries(after))
      if (hash !== before[table]) this.#found.leaks.push(`a refused call changed a row of ${table}`);
  }

  leak(question: Question, what: string): void {
    this.#found.leaks.push(`${nameOf(question)}: ${what}`);
  }

  finish(): Verdicts {
    const never = [...this.#wasGiven].flatMap(([name, was]) => (was ? [] : [`${name}: nobody was given anything`]));
    return {
      ...this.#found,
      falseDenials: [...this.#found.falseDenials, ...never],
      untested: [...this.#reached].flatMap(([key, reached]) => (reached ? [] : [key])),
    };
  }
}

/**
 * Every table, whose rows a refused call must not change. Only the visit of somebody whose right has ended may end itself with the
 * call that is refused for it.
 */
export const fingerprint = ({ app, actors }: Pick<World, 'app' | 'actors'>): Promise<Record<string, string>> =>
  hashTables(app, { visits: actors.flatMap(({ endedVisit }) => endedVisit ?? []) });

/** Asks everything that must be refused; no row of anybody may change by it. */
export async function askRefused(judge: Judge, world: World, range: Range): Promise<void> {
  // What somebody has earned is counted whenever she asks for something of her credits: it is counted now.
  await settleCredits(world.app.engines);
  const before = await fingerprint(world);
  await eachOf(refusedQuestions(world, range), (question) => judge.refuse(question));
  const after = await fingerprint(world);
  // What raw routes count of those who ask is forgotten on the way.
  if (range.targets.some(isRaw)) after.rate_limits = before.rate_limits ?? '';
  judge.compare(before, after);
}

export async function askAllowed(judge: Judge, world: World, range: Range): Promise<void> {
  judge.expectGiven(range.targets);
  await askThatWorks(world, range, (question) => judge.allow(question));
}

/** Asks everybody for everything: what is allowed must work, what is not must leave no trace. */
export async function proveAuthorization(
  world: World,
  { targets, actors = world.actors, isFull }: Range,
): Promise<Verdicts> {
  const judge = new Judge(world);
  await askRefused(judge, world, { targets, actors, isFull });
  await askAllowed(judge, world, { targets: targets.filter((target) => !endsSessions(target)), actors, isFull });
  for (const target of targets.filter(endsSessions))
    for (const actor of actors) await askToEndSessions(judge, world, target, actor);
  return judge.finish();
}
