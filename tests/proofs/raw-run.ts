import type { RouteOptions } from 'fastify';
import { readRows } from '#tests/support/people.ts';
import { headersOf } from '#tests/support/test-app.ts';
import { isFull } from './counts.ts';
import { spell, spellingNames } from './matrix-doors.ts';
import { type Asker, canaries } from './matrix-world.ts';
import { type listClosed, type Shape, sendShape, shapeOf } from './raw-shapes.ts';
import type { RawThings, RawWorld } from './raw-things.ts';

export interface RawResult {
  requests: number;
  /** Given to somebody whose it is not. */
  leaks: string[];
  /** Not given to whom it belongs, and routes that gave nobody anything. */
  falseDenials: string[];
  /** Refused for its form alone: whoever asked never came to an authorization. */
  untested: string[];
}

type Closed = ReturnType<typeof listClosed>;
type Whose = 'A' | 'B' | 'unknown' | 'ended';

interface Cell {
  name: string;
  asker: Asker;
  whose: Whose;
  things: RawThings;
  spelling?: string;
}
const nameOf = ({ name, asker, whose, spelling }: Cell) =>
  `${name} as ${asker.name} on ${whose}${spelling === undefined ? '' : `, ${spelling}`}`;

/** What must come of a call, from the words beside the route and who asks; never from the handler. */
function isAllowed(asker: Asker, { config }: RouteOptions, whose: Whose): boolean {
  const who = config?.who ?? [];
  if (who.includes('visitor')) return true;
  if (who.includes('viewer') && asker.visits === whose) return true;
  if (!who.includes('creator') || asker.may === 'visitor') return false;
  return config?.subject === 'none' || asker.owns === whose;
}

/** Whether a call is one that has to succeed: an account in which something is missing may be refused for that. */
function mustSucceed(asker: Asker, route: RouteOptions, whose: Whose): boolean {
  if (route.config?.who?.includes('visitor')) return asker.name === 'visitor';
  return asker.may !== 'signed-in' && isAllowed(asker, route, whose);
}

const names = [...spellingNames, 'HEAD'];
/** All of them, or one by turns. */
const spellingsOf = (turn: number): string[] => (isFull ? names : names.slice(turn % names.length).slice(0, 1));

/** Refusals that an authorization gives; every other one may come before it. */
const authorizing = new Set([401, 403, 404, 410]);
/** What an upload is spent by. */
const spends = /^(PATCH|DELETE) \/files\/:id$/;

/** Asks raw routes as everybody, and remembers what came of it. */
export class RawRun {
  readonly #result: Omit<RawResult, 'untested'> = { requests: 0, leaks: [], falseDenials: [] };
  readonly #reached = new Map<string, boolean>();
  readonly #given = new Set<string>();
  readonly #world: RawWorld;
  readonly #change: (shape: Shape) => Shape;

  /** @param change how calls are made, when not as they should be */
  constructor(world: RawWorld, change: (shape: Shape) => Shape = (shape) => shape) {
    this.#world = world;
    this.#change = change;
  }

  /** Asks every closed route as those who must be refused. */
  async askRefused(askers: readonly Asker[], closed: Closed): Promise<void> {
    let turn = 0;
    for (const { route, name } of closed)
      for (const asker of askers)
        for (const whose of this.#listRefused(asker, route)) {
          const cell = { name, asker, whose, things: this.#thingsOf(asker, whose) };
          // Whoever asked too often is refused for that, whatever it was about.
          await readRows(this.#world.app, 'delete from rate_limits');
          await this.refused(cell);
          if (whose === 'unknown') continue;
          for (const spelling of spellingsOf(turn++)) await this.refused({ ...cell, spelling });
        }
  }

  /** Asks every closed route as those to whom it has to give something; the things are those that others were refused. */
  async askAllowed(askers: readonly Asker[], closed: Closed): Promise<void> {
    await readRows(this.#world.app, 'delete from rate_limits');
    for (const { route, name } of closed) {
      const whoses = route.config?.subject === 'none' ? (['A'] as const) : (['A', 'B'] as const);
      for (const whose of whoses)
        for (const asker of askers.filter((one) => mustSucceed(one, route, whose))) {
          const things = this.#thingsOf(asker, whose);
          const upload = spends.test(name) ? await this.#world.begin(whose) : things.upload;
          await this.#allowed({ name, asker, whose, things: { ...things, upload } });
        }
      if (!this.#given.has(name)) this.#result.falseDenials.push(`${name}: nobody was given anything`);
    }
  }

  finish(): RawResult {
    return { ...this.#result, untested: [...this.#reached].flatMap(([key, reached]) => (reached ? [] : [key])) };
  }

  /** Whose things a caller is refused; of a visit whose right has ended also its own. */
  #listRefused(asker: Asker, route: RouteOptions): Whose[] {
    const whoses: Whose[] = ['A', 'B', 'unknown', ...(asker.endedVisit === undefined ? [] : ['ended' as const])];
    return whoses.filter((whose) => !isAllowed(asker, route, whose));
  }

  #thingsOf(asker: Asker, whose: Whose): RawThings {
    const things = this.#world.things(whose === 'unknown' ? 'nobody' : whose === 'B' ? 'B' : 'A');
    const visit = whose === 'ended' ? (asker.endedVisit ?? things.visit) : things.visit;
    return { ...things, visit, ...this.#world.tokensOf(asker, whose) };
  }

  async #ask({ name, asker, things, spelling }: Cell): Promise<{ status: number; text: string }> {
    const { app, viewerApi } = this.#world;
    const [method = 'GET'] = name.split(' ');
    const shape = this.#change(shapeOf(name, things));
    const said = spell(shape.path, spelling);
    const asked = {
      ...shape,
      method: spelling === 'HEAD' && method === 'GET' ? 'HEAD' : method,
      path: said.url,
      headers: { ...shape.headers, ...said.headers },
    };
    const sent = { origin: app.engines.installation.publicUrl, ...headersOf(asker.browser) } as Record<string, string>;
    const { status, headers, bytes } = await sendShape(viewerApi.url, asked, sent);
    this.#result.requests++;
    return { status, text: `${bytes.toString('latin1')}${JSON.stringify([...headers])}` };
  }

  /** One call that must be refused. */
  async refused(cell: Cell): Promise<void> {
    const { leaks } = this.#result;
    const { status, text } = await this.#ask(cell);
    if (status < 400 || status >= 500) leaks.push(`${nameOf(cell)}: ${status}`);
    if (text.includes(canaries.A) || text.includes(canaries.B)) leaks.push(`${nameOf(cell)}: a canary`);
    if (cell.spelling !== undefined) return;
    const key = `${cell.name} as ${cell.asker.name}`;
    this.#reached.set(key, (this.#reached.get(key) ?? false) || authorizing.has(status));
  }

  async #allowed(cell: Cell): Promise<void> {
    const { status, text } = await this.#ask(cell);
    if (status >= 200 && status < 300) this.#given.add(cell.name);
    else this.#result.falseDenials.push(`${nameOf(cell)}: ${status} ${text.slice(0, 160)}`);
    if (cell.name === 'HEAD /files/:id' && !text.includes('["upload-offset","0"]'))
      this.#result.leaks.push(`${nameOf(cell)}: somebody else has written into it`);
  }
}
