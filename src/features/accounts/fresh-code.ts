import type { CreatorContext } from '#wire/context.ts';
import { refuse } from '#wire/refusals.ts';
import { findCodeAt, hasSecondFactor } from './second-factor/second-factor-store.ts';
import { isCodeFresh } from './second-factor-rules.ts';

/**
 * What moves where money goes needs a code of the second factor that was entered in this session lately.
 * @throws SECOND_FACTOR_REQUIRED when there is none to ask for, CODE_REQUIRED when one is to be entered first
 */
export async function requireFreshCode({ engines, asSystem, creator }: CreatorContext): Promise<void> {
  const { isOn, codeAt } = await asSystem(async (tx) => ({
    isOn: await hasSecondFactor(tx, creator.userId),
    codeAt: await findCodeAt(tx, creator.sessionId),
  }));
  if (!isOn) throw refuse('SECOND_FACTOR_REQUIRED');
  if (!isCodeFresh(codeAt, new Date(engines.clock()))) throw refuse('CODE_REQUIRED');
}
