import { afterAll, beforeAll, expect, it } from 'vitest';
import { type HouseInTest, openHouse } from '#tests/support/house.ts';
import { signUpCreator } from '#tests/support/people.ts';

let house: HouseInTest;
beforeAll(async () => {
  house = await openHouse();
});
afterAll(() => house.close());

it('signs up', async () => {
  const creator = await signUpCreator(house);
  const me = await house.call('accounts.me', {}, creator.browser);
  expect(me.body.subscriptionStatus).toBe('trialing');
});
