import type { Person } from '#tests/support/people.ts';
import type { Browser } from '#tests/support/test-app.ts';

export type Letter = 'A' | 'B';
/** Words that stand in private columns of A and B and in no answer to anybody else. */
export const canaries = { A: 'canaryAAAA7qKx2mZ', B: 'canaryBBBB9wLp4nT' } as const;

/** A creator, and somebody who looks at what she shares. */
export interface Owner {
  whose: Letter;
  person: Person;
  viewer: Browser;
}
