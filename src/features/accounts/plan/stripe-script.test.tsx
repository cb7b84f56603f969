import { afterEach, expect, test, vi } from 'vitest';
import { loadStripe } from './stripe-script.tsx';

afterEach(() => vi.unstubAllGlobals());

/** A page's head that hands out what is added to it, under a policy that knows each name once. */
function openHead() {
  const added: { src: string; onload: () => void; onerror: () => void; remove: () => void }[] = [];
  const names = new Set<string>();
  vi.stubGlobal('document', {
    createElement: () => ({ remove: () => undefined }),
    head: { append: added.push.bind(added) },
  });
  vi.stubGlobal('trustedTypes', {
    createPolicy(name: string, rules: object) {
      if (names.has(name)) throw new TypeError(`Policy with name "${name}" already exists.`);
      names.add(name);
      return rules;
    },
  });
  return added;
}

test("the provider's script is tried again after it failed to load, and is loaded once", async () => {
  const added = openHead();
  const address = 'https://js.stripe.com/dahlia/stripe.js';
  const first = loadStripe(address);
  added[0]?.onerror();
  await expect(first).rejects.toThrow('Failed to load Stripe configuration');
  const second = loadStripe(address);
  expect(added.map(({ src }) => src)).toEqual([address, address]);
  const openStripe = () => undefined;
  vi.stubGlobal('Stripe', openStripe);
  added[1]?.onload();
  expect(await second).toBe(openStripe);
  expect(await loadStripe(address)).toBe(openStripe);
  expect(added).toHaveLength(2);
});
