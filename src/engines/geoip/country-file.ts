import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { BlockList, isIP } from 'node:net';
import { Reader, type Response } from 'mmdb-lib';
import type { PlaceFinder } from './geoip.ts';

/** Addresses that lie in no country: this machine, private and reserved networks (RFC 6890). */
const nowhere = new BlockList();
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const)
  nowhere.addSubnet(network, bits, 'ipv4');
for (const [network, bits] of [
  ['::', 127],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
  ['2001:db8::', 32],
] as const)
  nowhere.addSubnet(network, bits, 'ipv6');

const require = createRequire(import.meta.url);
const fileOfCountries = () => require.resolve('@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb');
const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/** Countries from the address registries' own list, a file that came with npm (CC0); read on the first question. */
export function openCountryFile(): PlaceFinder {
  let reader: Reader<Response> | undefined;
  const find = (address: string) => {
    reader ??= new Reader(readFileSync(fileOfCountries()));
    return reader.get(address) as { country_code?: string } | null;
  };
  return {
    countryOf(address) {
      const plain = mapped.exec(address)?.[1] ?? address.split('%', 1)[0] ?? '';
      const version = isIP(plain);
      if (version === 0 || nowhere.check(plain, version === 4 ? 'ipv4' : 'ipv6')) return undefined;
      const code = find(plain)?.country_code;
      return code !== undefined && /^[A-Z]{2}$/.test(code) ? code : undefined;
    },
  };
}
