import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { hashMailedCode, isMailedCode, newMailedCode, refuseWrongCode } from './mailed-code.ts';

const secrets = ['a secret of the installation', 'the one before it'] as const;

describe('a mailed code', () => {
  it('is six digits, those that begin with a zero too', () => {
    const codes = Array.from({ length: 200 }, newMailedCode);
    expect(codes.filter((code) => !/^\d{6}$/.test(code))).toEqual([]);
    expect(new Set(codes).size).toBeGreaterThan(190);
  });

  it('is known by its hash, for what it was made and with the secret in use alone', () => {
    const hash = hashMailedCode(secrets, 'pass:1', '012345');
    expect(isMailedCode(secrets, 'pass:1', '012345', hash)).toBe(true);
    expect(isMailedCode(secrets, 'pass:1', '012346', hash)).toBe(false);
    expect(isMailedCode(secrets, 'pass:2', '012345', hash)).toBe(false);
    expect(isMailedCode(secrets, 'request:1', '012345', hash)).toBe(false);
    expect(isMailedCode(['another secret'], 'pass:1', '012345', hash)).toBe(false);
  });

  it.each([
    [4, "That code isn't right. 4 tries left."],
    [1, "That code isn't right. 1 try left."],
    [0, "That code isn't right. Ask for a new one."],
  ])('that is wrong is refused with %i tries left', (triesLeft, message) => {
    const { data, ...error } = refuseWrongCode(triesLeft, 'emailCode');
    expect([error.code, data]).toEqual(['VALIDATION', { field: 'emailCode', triesLeft }]);
    expect(refuseWrongCode(triesLeft, 'emailCode').message).toBe(message);
  });

  it('is made, hashed and refused in no other file', () => {
    const sources = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file));
    const parts = /randomInt\(1_000_000\)|padStart\(6, '0'\)|That code isn't right\. \$/;
    const found = sources.filter((file) => parts.test(readFileSync(path.join('src', file), 'utf8')));
    expect(found.filter((file) => !file.endsWith('.test.ts'))).toEqual(['features/accounts/mailed-code.ts']);
  });
});
