/** The cookie that remembers whose link was followed first. */
export const partnerCookie = 'aff';

/** Which way an account came to its partner: a link that was followed, or a code that was typed. */
export type ReferralSource = 'link' | 'code';

/** What a browser remembers of a partner's code. */
export interface Followed {
  code: string;
  /** A random number by which one browser counts once. */
  visitor: string;
  source: ReferralSource;
}

const cookieForm = /^([A-Z0-9]{6,12})\.([A-Za-z0-9]{22})\.(link|code)$/;

/** Returns what the cookie says; undefined for what we never gave. */
export function readFollowed(cookie: string | undefined): Followed | undefined {
  if (cookie === undefined || cookie.length > 50) return undefined;
  const [, code, visitor, source] = cookieForm.exec(cookie) ?? [];
  if (code === undefined || visitor === undefined) return undefined;
  return { code, visitor, source: source === 'code' ? 'code' : 'link' };
}

export const writeFollowed = ({ code, visitor, source }: Followed): string => `${code}.${visitor}.${source}`;

export const isPartnerCode = (text: string): boolean => /^[A-Z0-9]{6,12}$/.test(text);

/**
 * Decides what a browser remembers from now on: the link that was followed first stays, and a code that was typed stands above it.
 * @returns undefined when nothing changes
 */
export function chooseFollowed(known: Followed | undefined, next: Followed): Followed | undefined {
  if (known === undefined) return next;
  return next.source === 'link' ? undefined : next;
}

const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];

/** Returns the family of a browser, without its version or its system. */
export const nameBrowserFamily = (userAgent: string): string =>
  browsers.find(([form]) => form.test(userAgent))?.[1] ?? 'Other';
