import { must, type Person } from '../people.ts';
import type { TestApp } from '../test-app.ts';
import { goodCard } from './selling.ts';

/** The checkout that a client secret opens. */
export const sessionOfSecret = (secret: unknown): string => String(secret).split('_secret_')[0] ?? '';

/** Takes a creator's own plan with a card, in the provider's frame. @returns the name of the checkout */
export async function takePlan(app: TestApp, { browser }: Pick<Person, 'browser'>, card = goodCard): Promise<string> {
  const { clientSecret } = await must(app, 'billing.createPlanCheckout', { mode: 'embedded' }, browser);
  const sessionId = sessionOfSecret(clientSecret);
  const taken = await app.engines.sandbox?.takePlan(sessionId, card);
  if (taken === undefined || 'declined' in taken) throw new Error('the plan was not taken');
  return sessionId;
}
