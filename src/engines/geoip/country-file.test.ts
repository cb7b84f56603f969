import { describe, expect, it } from 'vitest';
import { openCountryFile } from './country-file.ts';

const { countryOf } = openCountryFile();

describe('the country of an address', () => {
  it.each([
    ['8.8.8.8', 'US'],
    ['193.0.6.139', 'NL'], // RIPE NCC, Amsterdam
    ['133.11.0.1', 'JP'], // University of Tokyo
    ['5.9.0.1', 'DE'],
    ['2001:4860:4860::8888', 'US'],
    ['::ffff:193.0.6.139', 'NL'],
    ['::FFFF:8.8.8.8', 'US'],
  ])('of %s is %s', (address, country) => expect(countryOf(address)).toBe(country));

  it.each([
    '127.0.0.1',
    '::1',
    '::',
    '0.0.0.0',
    '10.1.2.3',
    '172.31.255.255',
    '192.168.1.1',
    '100.64.0.1',
    '169.254.1.1',
    '198.18.0.1',
    '203.0.113.9',
    '224.0.0.1',
    '255.255.255.255',
    'fe80::1%eth0',
    'fd00::1',
    '2001:db8::1',
    'ff02::1',
    '::ffff:127.0.0.1',
    '::ffff:10.0.0.1',
    '::ffff:7f00:1',
    '::7f00:1',
    '64:ff9b::7f00:1',
  ])('of %s is unknown', (address) => expect(countryOf(address)).toBeUndefined());

  it.each(['', 'localhost', '8.8.8', '8.8.8.8:80', '[::1]', '999.1.1.1', "'; drop", '8.8.8.8 '])(
    'of "%s", which is no address, is unknown',
    (text) => expect(countryOf(text)).toBeUndefined(),
  );

  it('is found in microseconds', () => {
    const began = process.cpuUsage();
    for (let n = 0; n < 20_000; n++) countryOf(`${(n % 220) + 1}.${n % 256}.7.7`);
    expect(process.cpuUsage(began).user / 20_000).toBeLessThan(200);
  });
});
