import { expect, it } from 'vitest';
import {
  checkDeadline,
  DeadlinePassed,
  leftMs,
  untilDeadline,
  withDeadline,
  within,
  withOwnDeadline,
} from './deadline.ts';

it('work without a deadline may go on', () => {
  expect(leftMs()).toBe(Number.POSITIVE_INFINITY);
  expect(checkDeadline).not.toThrow();
});

it('work past its deadline is refused, also behind what it has waited for', async () => {
  const overdue = withDeadline(-1, async () => {
    await new Promise((go) => setImmediate(go));
    checkDeadline();
  });
  await expect(overdue).rejects.toBeInstanceOf(DeadlinePassed);
});

it('of two deadlines the earlier one holds, unless work is done for others as well', async () => {
  await withDeadline(1000, async () => {
    await withDeadline(9_000_000, async () => expect(leftMs()).toBeLessThanOrEqual(1000));
    await withOwnDeadline(9_000_000, async () => expect(leftMs()).toBeGreaterThan(8_000_000));
    expect(leftMs()).toBeLessThanOrEqual(1000);
  });
});

it('nobody waits longer for others than they may go on', async () => {
  const never = new Promise<void>(() => undefined);
  await expect(within(0, never)).rejects.toBeInstanceOf(DeadlinePassed);
  await expect(withDeadline(0, () => untilDeadline(never))).rejects.toBeInstanceOf(DeadlinePassed);
  expect(await withDeadline(60_000, () => untilDeadline(Promise.resolve(7)))).toBe(7);
  expect(await untilDeadline(Promise.resolve(7))).toBe(7);
});
