import type { Tx } from '#engines/database/work.ts';
import { type AccountReport, mostReports } from '../contract.ts';

const newest = (tx: Tx) =>
  tx.db
    .selectFrom('reports')
    .select(['number', 'kind', 'state', 'created_at as at'])
    .orderBy('created_at', 'desc')
    .limit(mostReports)
    .$castTo<Omit<AccountReport, 'number'> & { number: number }>();

const withNumbers = (rows: (Omit<AccountReport, 'number'> & { number: number })[]): AccountReport[] =>
  rows.map((row) => ({ ...row, number: String(row.number) }));

/** Lists reports of what an account shares, the newest first. */
export const listReportsAgainst = async (tx: Tx, userId: string): Promise<AccountReport[]> =>
  withNumbers(await newest(tx).where('creator_id', '=', userId).execute());

/** Lists what was reported from an address, the newest first. */
export const listReportsBy = async (tx: Tx, email: string): Promise<AccountReport[]> =>
  withNumbers(await newest(tx).where('email', '=', email).execute());
