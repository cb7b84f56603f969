/** PostgreSQL is away, full or has no free connection: answered as 503, never guessed around. */
export class DatabaseAway extends Error {
  constructor(cause: unknown) {
    super('The database does not answer.', { cause });
    this.name = 'DatabaseAway';
  }
}

export const codeOf = (error: unknown) => (error as { code?: string } | null)?.code ?? '';

/**
 * The server said that it is going, coming, full or has lost its disk (PostgreSQL, appendix A: classes 08, 53, 57P, 58;
 * 25P03 is a transaction of ours that it ended because nothing came any more; 25006 is said by a standby that was not promoted
 * yet, since nobody here writes in a transaction that only reads).
 */
const awayCodes = /^(08...|53[1-4]00|57P0[1-5]|58030|25P03|25006)$/;
const lostLine = /^(ECONNREFUSED|ECONNRESET|ENOENT|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENOTFOUND|EAI_AGAIN|EMFILE|ENFILE)$/;
const awayWords =
  /^(Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect|Query read timeout)/;

/** Returns whether the error is the database's absence, and not one of the statement or of the handler's own files. */
export function isAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (awayCodes.test(codeOf(error)) || awayWords.test(error.message)) return true;
  return (
    lostLine.test(codeOf(error)) &&
    ['connect', 'read', 'write', 'getaddrinfo'].includes((error as NodeJS.ErrnoException).syscall ?? '')
  );
}

/** Returns whether only a connection was missing, and the server itself is there. */
export const isPoolExhausted = (error: unknown) =>
  error instanceof Error && error.message.startsWith('timeout exceeded when trying to connect');
