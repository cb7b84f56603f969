import { hkdfSync, randomBytes } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { keyRingOf, serverKey, serverKeys } from './key-ring.ts';
import { addKey, openKeyRing } from './open-key-ring.ts';
import { unwrapKey, wrapKey } from './wrapped-key.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'pf-keys-'));
});
afterEach(() => rmSync(dataDir, { recursive: true }));

const file = () => join(dataDir, 'keys.json');
const entry = (id: string, key: Buffer) => `${id}:${key.toString('base64')}`;

describe('the master keys', () => {
  it('are written on the first start, readable by the owner only, and found again on the next', () => {
    const first = openKeyRing({ dataDir });
    expect(first.current.key.length).toBe(32);
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    expect(readdirSync(dataDir)).toEqual(['keys.json']);
    expect(openKeyRing({ dataDir })).toEqual(first);
  });

  it('differ between two installations', () => {
    const first = openKeyRing({ dataDir }).current.key;
    rmSync(file());
    expect(openKeyRing({ dataDir }).current.key.equals(first)).toBe(false);
  });

  it('are never replaced when their file is damaged', () => {
    for (const damaged of ['', '{', '{"keys":[]}', '{"keys":[{"id":"a","key":"c2hvcnQ="}]}', 'null']) {
      writeFileSync(file(), damaged);
      expect(() => openKeyRing({ dataDir })).toThrow('is damaged');
      expect(readFileSync(file(), 'utf8')).toBe(damaged);
    }
  });

  it('become private again when somebody opened their file to others', () => {
    const first = openKeyRing({ dataDir });
    chmodSync(file(), 0o644);
    expect(openKeyRing({ dataDir })).toEqual(first);
    expect(statSync(file()).mode & 0o777).toBe(0o600);
  });

  it('come from PF_KEYS, newest first, and then no file is made', () => {
    const [newest, oldest] = [randomBytes(32), randomBytes(32)];
    const ring = openKeyRing({ dataDir, pfKeys: `${entry('k2', newest)}, ${entry('k1', oldest)}` });
    expect(ring.current).toEqual({ id: 'k2', key: newest });
    expect(Array.from(ring.all.keys())).toEqual(['k2', 'k1']);
    expect(existsSync(file())).toBe(false);
  });

  it('of the file still open old secrets after PF_KEYS took over', () => {
    const before = openKeyRing({ dataDir });
    const secret = wrapKey(before, 'row', randomBytes(32));
    const after = openKeyRing({ dataDir, pfKeys: entry('k2', randomBytes(32)) });
    expect(unwrapKey(after, 'row', secret)).toEqual(unwrapKey(before, 'row', secret));
  });

  it('get a new one in front of the file, which still opens what the old one wrapped', () => {
    const before = openKeyRing({ dataDir });
    const secret = wrapKey(before, 'row', randomBytes(32));
    const [id] = addKey({ dataDir }).split(':');
    const after = openKeyRing({ dataDir });
    expect(Array.from(after.all.keys())).toEqual([id, before.current.id]);
    expect(unwrapKey(after, 'row', secret)).toEqual(unwrapKey(before, 'row', secret));
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    expect(readdirSync(dataDir)).toEqual(['keys.json']);
  });

  it('of PF_KEYS get a new one to be put there, and no file is made or changed', () => {
    const pfKeys = entry('k1', randomBytes(32));
    expect(Array.from(openKeyRing({ dataDir, pfKeys: `${addKey({ dataDir, pfKeys })},${pfKeys}` }).all)).toHaveLength(
      2,
    );
    expect(readdirSync(dataDir)).toEqual([]);
    expect(() => addKey({ dataDir })).toThrow('keys.json is missing');
  });

  it('are refused without a word about their bytes when PF_KEYS is malformed', () => {
    const short = randomBytes(16).toString('base64');
    for (const pfKeys of [`k1:${short}`, 'k1', ':', `${entry('k1', randomBytes(32))},`])
      expect(() => openKeyRing({ dataDir, pfKeys })).toThrow(/^PF_KEYS: entry \d is not/);
  });

  it('are refused when one id names two keys', () => {
    const pfKeys = `${entry('k', randomBytes(32))},${entry('k', randomBytes(32))}`;
    expect(() => openKeyRing({ dataDir, pfKeys })).toThrow('two different master keys');
  });
});

describe('a wrapped key', () => {
  const ring = keyRingOf([{ id: 'k1', key: randomBytes(32) }]);
  const key = randomBytes(32);

  it('opens for its own row only', () => {
    const secret = wrapKey(ring, 'medium-1', key);
    expect(unwrapKey(ring, 'medium-1', secret)).toEqual(key);
    expect(() => unwrapKey(ring, 'medium-2', secret)).toThrow();
  });

  it('does not open when a bit was changed, or without its master key', () => {
    const secret = wrapKey(ring, 'row', key);
    const changed = Buffer.from(secret.wrapped);
    changed[20] = (changed[20] ?? 0) ^ 1;
    expect(() => unwrapKey(ring, 'row', { ...secret, wrapped: changed })).toThrow();
    expect(() => unwrapKey(keyRingOf([{ id: 'k9', key }]), 'row', secret)).toThrow('no master key k1');
  });

  it('looks different each time', () => {
    expect(wrapKey(ring, 'row', key).wrapped.equals(wrapKey(ring, 'row', key).wrapped)).toBe(false);
    expect(wrapKey(ring, 'row', key).wrapped.length).toBe(60);
  });

  it('is wrapped by the newest master key, and old ones still open after a rotation', () => {
    const old = wrapKey(ring, 'row', key);
    const rotated = keyRingOf([{ id: 'k2', key: randomBytes(32) }, ring.current]);
    expect(wrapKey(rotated, 'row', key).keyId).toBe('k2');
    expect(unwrapKey(rotated, 'row', old)).toEqual(key);
  });
});

describe('a server key', () => {
  const [newest, previous] = [
    { id: 'k2', key: randomBytes(32) },
    { id: 'k1', key: randomBytes(32) },
  ];
  const ring = keyRingOf([newest, previous]);

  it('is HKDF of the newest master key under its label', () => {
    expect(serverKey(ring, 'pf1:lease')).toEqual(Buffer.from(hkdfSync('sha512', newest.key, '', 'pf1:lease', 32)));
    expect(serverKey(ring, 'pf1:other').equals(serverKey(ring, 'pf1:lease'))).toBe(false);
  });

  it('of the previous master key is still to be had after a rotation', () => {
    expect(serverKeys(ring, 'pf1:lease')).toEqual([
      serverKey(ring, 'pf1:lease'),
      serverKey(keyRingOf([previous]), 'pf1:lease'),
    ]);
  });
});
