import { statement, type Tx } from '../../database/work.ts';
import { daySeconds, type InBooks, MalformedCall, SandboxError } from './books.ts';

export interface Answered {
  status: number;
  body: object;
  isRepeated?: boolean;
}

const repeated = statement<Answered & { request: string }>(
  'sandbox_repeated',
  'select status, body, request from sandbox_idempotency where key = $1 and answered_at > $2',
);

const remembered = statement(
  'sandbox_remembered',
  `insert into sandbox_idempotency (key, request, status, body, answered_at) values ($1, $2, $3, $4, $5)
on conflict (key) do update set request = excluded.request, status = excluded.status, body = excluded.body, answered_at = excluded.answered_at`,
);

/** Returns how long a key is remembered: a day, and by the newer part of the provider's API for thirty. */
const rememberedSeconds = (endpoint: string): number => (endpoint.includes(' /v2/') ? 30 : 1) * daySeconds;

/** Said before a call was begun, or of the key itself: nothing of it is remembered. */
const passing: readonly number[] = [401, 403, 409, 429, 499];

/** The provider remembers its refusals too; by its newer part, what failed is done again. */
const isRemembered = (error: unknown, endpoint: string): error is SandboxError =>
  error instanceof SandboxError &&
  !(error instanceof MalformedCall) &&
  error.code !== 'idempotency_error' &&
  error.status < 500 &&
  !passing.includes(error.status) &&
  !endpoint.includes(' /v2/');

interface Keyed {
  key: string;
  endpoint: string;
  /** All that has to be the same when it comes again. */
  request: string;
}

async function findAnswer(tx: Tx, { key, endpoint, request }: Keyed, now: number): Promise<Answered | undefined> {
  const [known] = await tx.query(repeated, [key, now - rememberedSeconds(endpoint)]);
  if (known === undefined) return undefined;
  const { status, body } = known;
  if (known.request === request) return { status, body, isRepeated: true };
  const words = 'Keys for idempotent requests can only be used with the same parameters.';
  throw new SandboxError(400, 'idempotency_error', words);
}

const keepAnswer = (tx: Tx, { key, request }: Keyed, { status, body }: Answered, now: number) =>
  tx.query(remembered, [key, request, status, JSON.stringify(body), now]);

/** The same key is the same request: what it was answered with, yes or no, it is answered with again, as long as it is remembered. */
export async function answerOnce(
  inBooks: InBooks,
  keyed: Keyed,
  {
    run,
    asAnswer,
    isWanted,
  }: { run: Parameters<typeof inBooks<Answered>>[0]; asAnswer(error: SandboxError): Answered; isWanted(): boolean },
): Promise<Answered> {
  try {
    return await inBooks(async (books) => {
      const known = await findAnswer(books.tx, keyed, books.now);
      if (known !== undefined) return known;
      const said = await run(books);
      await keepAnswer(books.tx, keyed, said, books.now);
      return said;
    }, isWanted);
  } catch (error) {
    // Nothing that was written while it failed is kept, but for the refusal.
    if (isRemembered(error, keyed.endpoint))
      await inBooks(({ tx, now }) => keepAnswer(tx, keyed, asAnswer(error), now));
    throw error;
  }
}
