import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { keyRingOf } from '#engines/keys/key-ring.ts';
import { evidencePublicKey, isSignatureValid, signJson } from './signature.ts';

const ringOf = () => keyRingOf([{ id: 'one', key: randomBytes(32) }]);

it('a signature holds for the same content in any order, and for no other', () => {
  const ring = ringOf();
  const signature = signJson(ring, { a: 1, b: { c: [1, 2], d: 'x', e: undefined } });
  expect(signature.publicKey).toBe(evidencePublicKey(ring));
  expect(isSignatureValid({ b: { d: 'x', c: [1, 2] }, a: 1 }, signature)).toBe(true);
  for (const other of [{ a: 2, b: { c: [1, 2], d: 'x' } }, { a: 1, b: { c: [2, 1], d: 'x' } }, { a: 1 }])
    expect(isSignatureValid(other, signature)).toBe(false);
  expect(
    isSignatureValid({ a: 1, b: { c: [1, 2], d: 'x' } }, { ...signature, publicKey: evidencePublicKey(ringOf()) }),
  ).toBe(false);
});
