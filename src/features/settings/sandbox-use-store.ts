import { statement, type Tx } from '#engines/database/work.ts';

const noted = statement('sandbox_use_noted', 'insert into sandbox_use (since) values ($1) on conflict do nothing');
const found = statement<{ since: Date }>('sandbox_use', 'select since from sandbox_use');
const ended = statement<{ since: Date }>('sandbox_use_ended', 'delete from sandbox_use returning since');

/** Notes that an installation starts as a sandbox. */
export const noteSandboxUse = async (tx: Tx, now: Date): Promise<void> => void (await tx.query(noted, [now]));

/** Tells since when an installation has been a sandbox that nobody has retired; undefined where it is none. */
export const findSandboxUse = async (tx: Tx): Promise<Date | undefined> => (await tx.query(found, []))[0]?.since;

/** Forgets that an installation was a sandbox. @returns false where it was none */
export const endSandboxUse = async (tx: Tx): Promise<boolean> => (await tx.query(ended, [])).length > 0;
