/** What erasing somebody does to the rows of a table that are theirs, found by a column. */
export interface Erasure {
  column: string;
  /** `delete`: they go. `keep`: they stay under an id that leads to nobody, with these columns written over. */
  act: 'delete' | 'keep';
  /** Columns written over, by the SQL of what stands there from then on. */
  set?: Readonly<Record<string, string>>;
  /** Why they stay. */
  because?: string;
}

/** A table that holds people: how long a row stays, which job ends it, and what an erasure does to it. */
export interface PeopleTable {
  /** How long, as the operator reads it. */
  kept: string;
  /** The queue of the job that ends it; `account` and `thing` go with the row that they belong to. */
  endedBy: 'account' | 'thing' | (string & {});
  /** Rows of a creator. */
  creator?: Erasure;
  /** Rows of a viewer, by the viewer's id. */
  viewer?: Erasure;
  /** Rows of a buyer, by the buyer's id. */
  buyer?: Erasure;
  /** Rows by the address itself. */
  address?: Erasure;
}

const gone = (column: string): Erasure => ({ column, act: 'delete' });
const stays = (column: string, because: string, set?: Erasure['set']): Erasure => ({
  column,
  act: 'keep',
  because,
  ...(set !== undefined && { set }),
});

const asLong = { kept: 'as long as the account', endedBy: 'account' } as const;

/** Of an account alone: kept as long as it, and gone with it. */
export const ofAccount = (column = 'user_id'): PeopleTable => ({ ...asLong, creator: gone(column) });

/** Of an account, and ended sooner by a job. */
export const until = (
  kept: string,
  endedBy: string,
  more: Omit<PeopleTable, 'kept' | 'endedBy'> = {},
): PeopleTable => ({
  kept,
  endedBy,
  ...more,
});

export { gone, stays };
