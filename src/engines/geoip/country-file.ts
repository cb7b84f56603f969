import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { isIP } from 'node:net';
import { Reader, type Response } from 'mmdb-lib';
import type { PlaceFinder } from './geoip.ts';
import { isReservedAddress } from './reserved-networks.ts';

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
      if (isIP(plain) === 0 || isReservedAddress(plain)) return undefined;
      const code = find(plain)?.country_code;
      return code !== undefined && /^[A-Z]{2}$/.test(code) ? code : undefined;
    },
  };
}
