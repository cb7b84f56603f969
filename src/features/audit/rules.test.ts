import { describe, expect, it } from 'vitest';
import { idOrNull, networkOf, windowOf } from './rules.ts';

describe('the window of a rate limit', () => {
  it('begins at a multiple of its length and says how long it lasts', () => {
    const at = (iso: string) => windowOf(new Date(iso), 900);
    expect(at('2026-11-21T12:00:00Z')).toEqual({ startsAt: new Date('2026-11-21T12:00:00Z'), leftSeconds: 900 });
    expect(at('2026-11-21T12:14:59.999Z')).toEqual({ startsAt: new Date('2026-11-21T12:00:00Z'), leftSeconds: 1 });
    expect(at('2026-11-21T12:15:00Z').startsAt).toEqual(new Date('2026-11-21T12:15:00Z'));
  });
});

describe('the network of an address', () => {
  it.each([
    ['203.0.113.9', '203.0.113.9'],
    ['::ffff:203.0.113.9', '203.0.113.9'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:0001:0002::9', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:db8:1::', '2001:db8:1:0::/64'],
    ['1:2:3::4:5:6:7', '1:2:3:0::/64'],
    ['::4:5:6:7:8', '0:0:0:4::/64'],
    ['64:ff9b::ffff:1.2.3.4', '64:ff9b:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ])('%s is %s', (address, network) => expect(networkOf(address)).toBe(network));
});

it('the log keeps ids of rows and nothing else in their place', () => {
  expect(idOrNull('01a1fe8d-3112-7987-9935-8dc02ff2ae2c')).toBe('01a1fe8d-3112-7987-9935-8dc02ff2ae2c');
  expect([idOrNull('somebody@example.com'), idOrNull(''), idOrNull(undefined)]).toEqual([null, null, null]);
});
