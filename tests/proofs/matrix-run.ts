import type { TestApp } from '#tests/support/test-app.ts';
import { bodyOf, needsMore } from './matrix-bodies.ts';
import { type Cell, nameOf } from './matrix-cells.ts';
import { askThrough, sayTwice } from './matrix-doors.ts';
import { type Asker, canaries } from './matrix-world.ts';

export interface MatrixResult {
  requests: number;
  leaks: string[];
  falseDenials: string[];
  bugs: string[];
  /** Denied cells that never reached an authorization, only the check of their shape. */
  untested: string[];
}

const refusedStatuses = new Set([401, 403, 404, 409, 410, 413, 415, 422, 429]);

/** Names of the other side that must not be in an answer. */
const foreignCanaries = (asker: Asker): string[] =>
  asker.owns === 'A' ? [canaries.B] : asker.owns === 'B' ? [canaries.A] : [canaries.A, canaries.B];

/** What was asked and what came of it. */
export class Run {
  readonly result: MatrixResult = { requests: 0, leaks: [], falseDenials: [], bugs: [], untested: [] };
  readonly #reached = new Map<string, boolean>();
  readonly #app: TestApp;

  constructor(app: TestApp) {
    this.#app = app;
  }

  /** One call, and what must not be in any answer. */
  async #ask({ row, asker, door, spelling, things, beside }: Cell, cell: string) {
    const browser = { ...asker.browser, cookies: new Map(asker.browser.cookies) };
    const once = { row, input: bodyOf(row.name, things) };
    const said = beside === undefined ? once : sayTwice(row, once.input, bodyOf(row.name, beside));
    const answer = await askThrough(this.#app, door, said.row, said.input, browser, spelling);
    const text = JSON.stringify(answer.body ?? null) + JSON.stringify(answer.headers);
    this.result.requests++;
    if (answer.status >= 500) this.result.bugs.push(`${cell}: ${answer.status}`);
    for (const canary of foreignCanaries(asker)) if (text.includes(canary)) this.result.leaks.push(`${cell}: a canary`);
    const code = answer.body?.json?.code ?? answer.body?.code;
    return { status: answer.status, code, isFine: answer.status >= 200 && answer.status < 300, text };
  }

  async allowed(question: Cell): Promise<void> {
    const cell = nameOf(question);
    const { isFine, status, code, text } = await this.#ask(question, cell);
    if (!isFine && needsMore[question.row.name]?.includes(code) !== true)
      this.result.falseDenials.push(`${cell}: ${status} ${text.slice(0, 160)}`);
  }

  async denied(question: Cell): Promise<void> {
    const { row, asker, door, spelling, beside } = question;
    const cell = nameOf(question);
    const { isFine, status } = await this.#ask(question, cell);
    if (isFine && row.meta.neutral !== true) this.result.leaks.push(`${cell}: ${status}`);
    if (!isFine && !refusedStatuses.has(status)) this.result.bugs.push(`${cell}: ${status}`);
    if (spelling !== undefined || beside !== undefined) return;
    const key = `${row.name} as ${asker.name} by ${door}`;
    this.#reached.set(key, (this.#reached.get(key) ?? false) || (status !== 422 && status !== 400));
  }

  finish(): MatrixResult {
    for (const [key, reached] of this.#reached) if (!reached) this.result.untested.push(key);
    return this.result;
  }
}
