import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { isLocalAddress, isReservedAddress } from './reserved-networks.ts';

describe('an address', () => {
  it.each(['127.0.0.1', '10.3.0.1', '172.18.0.1', '100.64.0.1', '::1', '::ffff:192.168.1.4', 'fd00::1', 'fe80::1'])(
    'is local, and reserved: %s',
    (address) => expect([isLocalAddress(address), isReservedAddress(address)]).toEqual([true, true]),
  );
  it.each(['192.0.2.1', '198.18.0.1', '203.0.113.9', '224.0.0.1', '255.255.255.255', '::', 'ff02::1', '2001:db8::1'])(
    'is reserved, and not local: %s',
    (address) => expect([isLocalAddress(address), isReservedAddress(address)]).toEqual([false, true]),
  );
  it.each(['8.8.8.8', '172.32.0.1', '2001:4860:4860::8888', '::ffff:193.0.6.139'])('is neither: %s', (address) =>
    expect([isLocalAddress(address), isReservedAddress(address)]).toEqual([false, false]),
  );
});

it('networks are listed in no other file', () => {
  const sources = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file));
  const lists = sources.filter((file) => /new BlockList\(/.test(readFileSync(path.join('src', file), 'utf8')));
  expect(lists.filter((file) => !file.endsWith('.test.ts'))).toEqual(['engines/geoip/reserved-networks.ts']);
});
