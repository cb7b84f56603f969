import { expect, test } from 'vitest';
import { laws, tryLaw } from '#tests/support/access/decision-laws.ts';
import { countOf, guards, printProof } from '../counts.ts';

guards('src/features/access/rules.ts', 'src/features/access/policy.ts', 'src/features/access/bought.ts');

test('whoever is let in, and why nobody else is, is what the table of the product says, in as many states as are ever worth it', () => {
  const counts = laws.map((law) => {
    const count = countOf(law.times[0], law.times[1], 5 * law.times[1]);
    tryLaw(law, count);
    return count;
  });
  const states = counts.reduce((sum, count) => sum + count, 0);
  printProof('decisions', states, { laws: laws.length, otherwise: 0 });
  expect(states).toBeGreaterThan(10_000);
});
