import { randomInt } from 'node:crypto';

const mostDraws = 8;

/**
 * Draws a number of eight digits that people can say on the telephone, and that tells nobody how many there are.
 * @param keep takes it, or answers nothing when somebody has it already
 */
export async function drawNumber(keep: (number: number) => Promise<{ number: number } | undefined>): Promise<number> {
  for (let draws = 0; draws < mostDraws; draws++) {
    const kept = await keep(randomInt(10_000_000, 100_000_000));
    if (kept !== undefined) return kept.number;
  }
  throw new Error('every number that was drawn is taken');
}
