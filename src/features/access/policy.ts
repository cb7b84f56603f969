import type { Policy } from '#features/links/policy.ts';

/** Returns whether a link is closed to viewers in a country. @param country undefined when it could not be determined */
export function isCountryBlocked({ geo }: Policy, country: string | undefined): boolean {
  if (geo === undefined) return false;
  if (country === undefined) return geo.whenUnknown === 'deny';
  return geo.countries.includes(country) === (geo.mode === 'block');
}

/** Returns whether a list of addresses and @domains allows an address; an empty list allows every address. */
export function isEmailAllowed(allow: readonly string[], email: string): boolean {
  const address = email.trim().toLowerCase();
  const domain = address.slice(address.lastIndexOf('@'));
  return allow.length === 0 || allow.some((entry) => [address, domain].includes(entry.trim().toLowerCase()));
}

/** Returns which of a viewer's verified addresses counts for a link: the newest that it allows, else the newest. */
export const pickEmail = ({ email }: Policy, newestFirst: readonly string[]): string | undefined =>
  newestFirst.find((address) => isEmailAllowed(email?.allow ?? [], address)) ?? newestFirst[0];

/** Returns how many viewers a link admits: one when it is bound to its first viewer, Infinity without a limit. */
export const viewerLimitOf = ({ bindFirstViewer, maxViewers }: Policy): number =>
  Math.min(bindFirstViewer === true ? 1 : Number.POSITIVE_INFINITY, maxViewers ?? Number.POSITIVE_INFINITY);
