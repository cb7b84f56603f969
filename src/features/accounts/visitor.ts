/** The cookie with what a visitor has said about being measured: `yes` or `no`. */
export const consentCookie = 'pf_consent';
/** The cookie that tells one visitor from another, given to nobody who has not agreed. */
export const visitorCookie = 'vid';

export type Consent = 'yes' | 'no' | undefined;

/** Returns what a browser's cookies say of being measured. */
export function readConsent(cookies: string): Consent {
  const [, said] = /(?:^|;\s*)pf_consent=(yes|no)(?:;|$)/.exec(cookies) ?? [];
  return said === 'yes' || said === 'no' ? said : undefined;
}

type ReadCookie = (name: string) => string | undefined;

/** Returns whether a visitor has agreed to be measured. */
export const hasAgreed = (cookie: ReadCookie): boolean => cookie(consentCookie) === 'yes';

/** Who a visitor is, as long as they agree to be known. */
export const visitorOf = (cookie: ReadCookie): string | undefined =>
  hasAgreed(cookie) ? readVisitor(cookie) : undefined;

/** The number in the cookie, also of somebody who agrees no more; undefined for what we never gave. */
export function readVisitor(cookie: ReadCookie): string | undefined {
  const vid = cookie(visitorCookie);
  return vid !== undefined && /^[A-Za-z0-9]{22}$/.test(vid) ? vid : undefined;
}
