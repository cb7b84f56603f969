import type { RouteConfigEntry } from '@react-router/dev/routes';
import routes from '../../../src/app/routes.ts';
import { rawPages } from '../../support/raw-pages.ts';

/** Addresses that lead to a page that has another one. */
const aliases: readonly string[] = ['/admin/test'];

/** Every page of the product as the pattern of its address: those of React Router, and those that the server writes itself. */
export const pages: readonly string[] = [
  ...routes.flatMap((route) => listPatterns(route, '')).filter((pattern) => !aliases.includes(pattern)),
  ...rawPages,
];

/** A route that has children is their frame: its own page is its index. */
function listPatterns({ path = '', children }: RouteConfigEntry, under: string): string[] {
  const pattern = path.startsWith('/') || path === '' ? `${under}${path}` : `${under}/${path}`;
  return children === undefined ? [pattern || '/'] : children.flatMap((child) => listPatterns(child, pattern));
}

/** Returns which page an address leads to: the pattern with the fewest unknown parts, or the page for whatever is no page. */
export function pageAt(address: string): string {
  const fits = (pattern: string) => new RegExp(`^${pattern.replaceAll(/:\w+/g, '[^/]+')}$`).test(address);
  const [closest] = pages
    .filter((pattern) => pattern !== '*' && pattern !== '/*')
    .filter(fits)
    .sort(compareUnknown);
  return closest ?? '/*';
}

const countUnknown = (pattern: string) => pattern.split(':').length;
const compareUnknown = (one: string, other: string) => countUnknown(one) - countUnknown(other);
