import type { Me } from '../contract.ts';
import { writeOwed } from './owed.ts';

/** Hears every answer about who is here. */
export function noteWhoIsHere({ user }: Pick<Me, 'user'>): void {
  // A locked session needs no word any more, and the next one is not closed for what this one owed.
  if (user === null) writeOwed(undefined);
}
