import type { Policy } from '#features/links/policy.ts';

/** Returns whether somebody is where a link does not open. @param country left out when nobody knows */
export function isOutsideCountries({ geo }: Policy, country: string | undefined): boolean {
  if (geo === undefined) return false;
  if (country === undefined) return geo.whenUnknown === 'deny';
  return geo.countries.includes(country) === (geo.mode === 'block');
}

/** Whether an address is on a list of addresses and @domains; an empty list allows all. */
export function isEmailAllowed(allow: readonly string[], email: string): boolean {
  const address = email.trim().toLowerCase();
  const domain = address.slice(address.lastIndexOf('@'));
  return allow.length === 0 || allow.some((entry) => [address, domain].includes(entry.trim().toLowerCase()));
}

/** Of the addresses that a viewer has proven, newest first, the one that a link lets in; else the newest. */
export const emailFor = ({ email }: Policy, proven: readonly string[]): string | undefined =>
  proven.find((address) => isEmailAllowed(email?.allow ?? [], address)) ?? proven[0];

/** Returns how many people a link is for: "only the first person" is one place. */
export const placesOf = ({ bindFirstViewer, maxViewers }: Policy): number =>
  Math.min(bindFirstViewer === true ? 1 : Number.POSITIVE_INFINITY, maxViewers ?? Number.POSITIVE_INFINITY);
