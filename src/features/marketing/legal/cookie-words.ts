import { longestCookieDays } from '#kit/cookie-span.ts';
import type { Operator } from '../operator-words.ts';

/** What the privacy policy says of the cookies that the product cannot do without. */
export const describeCookies = ({ sellsPlans }: Pick<Operator, 'sellsPlans'>): string[] => [
  `These cookies are necessary, and scripts can't read them: “pf.session_token” keeps a creator signed in. “pf_known” remembers for ${longestCookieDays} days that a creator has signed in from this browser, so that other people's wrong passwords don't lock them out. “pf_asked” ties an emailed link or code to the browser that asked for it, for as long as the link is valid${sellsPlans ? '; when you take the plan, for 3 days longer, because the email may be sent only once your bank has answered' : ''}. “pf_viewer” allows a viewer's browser to be recognized again, for ${longestCookieDays} days after it was given: when you tap Open, ask for access, pay, or open a link that was emailed to you; “pf_first” does so for a day until there is something to remember.${sellsPlans ? ' “pf_order” ties the checkout of the plan to the browser that began it, for 24 hours.' : ''} On a site with https, their names begin with “__Host-”.`,
  'When you sign up or sign in, “pf_try” is set and removed at once, to find out whether your browser accepts cookies. On a sandbox, “pf_dev” lets whoever runs it open its tools at /dev.',
  ...(sellsPlans
    ? ["Stripe's payment form and pages may set cookies of their own, which Stripe uses to detect fraud."]
    : []),
];
