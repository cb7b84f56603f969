import { isPartnerCode } from '#features/referrals/rules.ts';
import { callFromPage } from './call-marketing.ts';

const utmNames = ['source', 'medium', 'campaign'];

/** The partner's code that this page was opened with; undefined without one. */
const codeHere = (): string | undefined => {
  const code = new URLSearchParams(location.search).get('ref')?.trim().toUpperCase() ?? '';
  return isPartnerCode(code) ? code : undefined;
};

/** Tells the server that a partner's link was followed; whether anything of it is remembered here follows from what the visitor has agreed to. */
export function noteFollowed(): void {
  const code = codeHere();
  if (code === undefined) return;
  const search = new URLSearchParams(location.search);
  const utm = utmNames.flatMap((name) => {
    const value = search.get(`utm_${name}`)?.slice(0, 100);
    return value ? [[name, value]] : [];
  });
  const landing = location.pathname.slice(0, 200);
  // It may fail: the code still stands in the address.
  callFromPage('referrals/follow', { code, landing, utm: Object.fromEntries(utm) }).catch(() => undefined);
}

/** Lets the ways from this page to the sign-up form carry the code: so it is kept without being stored. */
export function carryCode(): void {
  const code = codeHere();
  if (code === undefined) return;
  for (const link of document.querySelectorAll<HTMLAnchorElement>('a[href^="/auth?action=signup"]'))
    link.search = `${link.search}&ref=${code}`;
}
