/** What the database says of a statement that it refused; see "PostgreSQL Error Codes", class 23. */
interface Violation {
  code?: string;
  constraint?: string;
}

/**
 * Whether a statement failed because a row with the same values is there already: somebody was quicker.
 * @param constraints the unique constraints and unique indexes that may say so; any other one is an error
 */
export function isConflictOn(error: unknown, ...constraints: readonly string[]): boolean {
  const { code, constraint } = (error ?? {}) as Violation;
  return code === '23505' && constraint !== undefined && constraints.includes(constraint);
}

/** Returns whether a statement failed because a row that it refers to is gone. */
export const isReferenceGone = (error: unknown): boolean => ((error ?? {}) as Violation).code === '23503';
