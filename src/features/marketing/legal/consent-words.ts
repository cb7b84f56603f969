/** By whom visits of public pages are measured, after consent. */
export interface Measured {
  byUs: boolean;
  byGoogle: boolean;
}

const viewers = 'viewers of private links are never measured';

/** What is kept of who came by a partner's link. */
const describeLink =
  'A partner may recommend this site by a link with their code. If you have agreed to be counted, or send the code yourself with the sign-up form, the cookie “aff” keeps the code and a random number for a limited time (60 days, unless the terms of the programme say otherwise), or until you sign up. It is used for one thing: the partner gets a share of what you pay for your plan. They see how many people came, and never who. That a link was followed is counted for the partner without your network address: the page, the campaign named in the address (utm) and the family of the browser, for 13 months.';

/** What a visitor is asked. */
export function describeQuestion({ byUs, byGoogle }: Measured): string {
  if (byUs && byGoogle)
    return `May we count your visits, here and with Google Analytics? It helps us see which pages are useful. Without your yes, nothing is kept here or loaded from Google, and ${viewers}.`;
  if (byUs)
    return `May we recognize this browser and count your visits? It helps us see which pages are useful. It stays on this server for a year, nobody else gets it, and ${viewers}.`;
  return `May we count this visit with Google Analytics? It helps us see which pages are useful. Nothing is loaded from Google unless you agree, and ${viewers}.`;
}

/** What the privacy policy says of it: the page's summary, its cookies and how long things are kept. */
export const privacyOf = {
  summary({ measured: { byUs, byGoogle }, sellsPlans }: { measured: Measured; sellsPlans: boolean }): string {
    const kept = 'We store only what the product needs in order to work. Nothing is sold and there is no advertising.';
    if (byUs && byGoogle)
      return `${kept} Visits of public pages are counted here and by Google Analytics, only if you agree.`;
    if (byUs) return `${kept} Visits of public pages are counted on this server, only if you agree.`;
    if (byGoogle) return `${kept} Visits of public pages are measured by Google Analytics, only if you agree.`;
    const form = sellsPlans ? ", except Stripe's payment form when a creator pays for something" : '';
    return `We store only what the product needs in order to work. Nothing is sold, there is no advertising, and no page here loads anything from anyone else${form}.`;
  },
  cookies({ byUs, byGoogle }: Measured): string[] {
    if (!byUs && !byGoogle)
      return ['No cookies are used for advertising or analytics, so there is no cookie banner.', describeLink];
    return [
      'On public pages you are asked whether your visits may be counted. Your answer is kept in the cookie “pf_consent” for half a year. If you say no, or nothing, nothing is counted, and no further cookie is set.',
      describeLink,
      ...(byUs
        ? [
            'If you agree, your browser gets the cookie “vid”, a random number, for a year. With it we note which public pages you open, the site you came from (not its page), the campaign named in the address (utm), the kind of browser, and when. Your network address is not stored. If you sign up or sign in, that is noted too, and what you looked at in the 90 days before is linked to your account. Phones, slow connections and browsers that send Global Privacy Control are left out.',
          ]
        : []),
      ...(byGoogle
        ? [
            'If you agree, Google receives the address of each public page you visit, the kind of browser and device you use, and your network address, and sets cookies of its own. If you say no, or nothing, nothing is loaded from Google.',
          ]
        : []),
      'Links of creators and the studio are never measured.',
    ];
  },
  kept: ({ byUs }: Measured): string[] =>
    byUs
      ? [
          'Counted visits: one year, or until you take your answer back. That you signed up or signed in after you had agreed: one year.',
        ]
      : [],
};
