import type { Tx } from '#engines/database/work.ts';
import { hashKey } from '#features/audit/store.ts';
import type { CreatorContext } from '#wire/context.ts';
import { refuse } from '#wire/refusals.ts';
import { takeTry } from './limits.ts';
import { isPassword } from './password.ts';
import { isCodeFresh } from './second-factor/code-rules.ts';
import { findCodeAt, hasSecondFactor } from './second-factor/second-factor-store.ts';
import { findAccount } from './store.ts';

/**
 * Whoever only holds an open screen does not know the password, so what matters asks for it again.
 * @param what is to be done: tries at one thing are counted apart from those at another
 * @returns how to forget the try, in the transaction that does it
 * @throws VALIDATION for a wrong password, RATE_LIMITED after several
 */
export async function confirmPassword(
  context: CreatorContext,
  password: string,
  what: 'app_lock' | 'payouts' | 'second_factor' | 'email_change' | 'deletion' | 'export',
): Promise<(tx: Tx) => Promise<void>> {
  const { engines, asSystem, creator } = context;
  const account = await asSystem((tx) => findAccount(tx, creator.userId));
  const { forget } = await takeTry(context, hashKey(engines.keys, what, creator.userId));
  if (!(await isPassword(password, account?.passwordHash ?? undefined)))
    throw refuse('VALIDATION', { field: 'password', message: "That isn't your password" });
  return forget;
}

const findCode = ({ engines, asSystem, creator }: CreatorContext) =>
  asSystem(async (tx) => ({
    isOn: await hasSecondFactor(tx, creator.userId),
    isFresh: isCodeFresh(await findCodeAt(tx, creator.sessionId), new Date(engines.clock())),
  }));

/**
 * What moves where money goes needs a code of the second factor that was entered in this session lately.
 * @throws SECOND_FACTOR_REQUIRED when there is none to ask for, CODE_REQUIRED when one is to be entered first
 */
export async function requireFreshCode(context: CreatorContext): Promise<void> {
  const { isOn, isFresh } = await findCode(context);
  if (!isOn) throw refuse('SECOND_FACTOR_REQUIRED');
  if (!isFresh) throw refuse('CODE_REQUIRED');
}

/**
 * The same for whoever has a second factor; without one there is nothing to ask for.
 * @throws CODE_REQUIRED
 */
export async function requireFreshCodeIfOn(context: CreatorContext): Promise<void> {
  const { isOn, isFresh } = await findCode(context);
  if (isOn && !isFresh) throw refuse('CODE_REQUIRED');
}
