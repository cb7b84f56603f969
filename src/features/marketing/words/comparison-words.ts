import type { Facts } from '../contract.ts';

/** A page where a sentence can be checked. */
export interface Source {
  name: string;
  href: string;
  /** Somebody else's word, not the platform's own. */
  isThirdParty?: boolean;
}

export interface Finding {
  platform: 'OnlyFans' | 'Fansly' | 'Patreon';
  text: string;
  source: Source;
}

export interface Topic {
  title: string;
  ours: string;
  others: readonly Finding[];
}

/** The day on which a copy of every source was read, in words. */
export const checkedOn = '26 November 2026';

const onlyFansSafety = {
  name: 'OnlyFans blog, “Staying Safe and Happy on OnlyFans”',
  href: 'https://blog.onlyfans.com/staying-safe-and-happy-on-onlyfans/',
};
const fanslySecurity = {
  name: 'Fansly help, “Security FAQ”',
  href: 'https://help.fansly.com/hc/en-us/articles/28856823886483-Security-FAQ',
};

const finding: Topic = {
  title: 'Who can find you',
  ours: 'Nobody who has no link from you. There is no profile unless you switch one on, and albums never appear on it.',
  others: [
    {
      platform: 'OnlyFans',
      text: 'You have a page. Only people who pay your subscription price can fully access it.',
      source: onlyFansSafety,
    },
    {
      platform: 'Fansly',
      text: 'You have a profile page. You can hide its feed from people who do not follow you; the page itself stays visible. You can block countries and regions.',
      source: fanslySecurity,
    },
  ],
};

const revoking = ({ leaseSeconds }: Facts['limits']): Topic => ({
  title: 'When you want someone out',
  ours: `You revoke their link. No more keys are issued, and an open screen closes within ${leaseSeconds} seconds.`,
  others: [
    {
      platform: 'Fansly',
      text: 'You can block a fan at any time. They keep access to media they have bought; support can be asked to remove it.',
      source: fanslySecurity,
    },
  ],
});

const marking: Topic = {
  title: 'How pictures are marked',
  ours: 'Each viewer gets a pattern of their own inside the picture, which cannot be seen, and a visible mark if you like. A leaked copy can be compared with every link that showed it.',
  others: [
    {
      platform: 'OnlyFans',
      text: 'A visible watermark is on by default for everything you post, and can be switched off.',
      source: onlyFansSafety,
    },
  ],
};

const leaking: Topic = {
  title: 'When something has leaked',
  ours: 'You upload the copy, and learn which link it came from and how sure that is, with a signed document. Having it removed elsewhere stays your step.',
  others: [
    {
      platform: 'OnlyFans',
      text: 'Its staff assist with takedowns of stolen content when you write to dmca@onlyfans.com.',
      source: onlyFansSafety,
    },
  ],
};

const paying = ({ plan, takesPayments }: Pick<Facts, 'plan' | 'takesPayments'>): Topic => ({
  title: 'What it costs',
  ours: takesPayments
    ? `${100 - plan.commissionPercent}% of the price shown is yours, card fees included in our ${plan.commissionPercent}%. The plan has a monthly price as well.`
    : `A monthly plan, and ${plan.commissionPercent}% of what your viewers pay, card fees included; the rest is yours. Nobody takes payments on this installation yet.`,
  others: [
    {
      platform: 'OnlyFans',
      text: 'Creators keep 80% of what fans pay; there is no monthly price.',
      source: {
        name: 'Outseeker, “What percent does OnlyFans take”',
        href: 'https://outseeker.net/blog/what-percent-does-onlyfans-take',
        isThirdParty: true,
      },
    },
    {
      platform: 'Fansly',
      text: 'Creators earn 80% of revenue from subscriptions, sales and tips.',
      source: {
        name: 'Fansly help, “Chargebacks & Earnings”',
        href: 'https://help.fansly.com/en/articles/10544469',
      },
    },
    {
      platform: 'Patreon',
      text: 'Accounts opened since August 2025 pay a 10% platform fee.',
      source: {
        name: 'Geek Native, “It’s official: Patreon is taking a bigger cut”',
        href: 'https://www.geeknative.com/173896/its-official-patreon-is-taking-a-bigger-cut-and-the-next-wave-of-rpg-creators-will-pay-the-price/',
        isThirdParty: true,
      },
    },
  ],
});

/** Only what can be checked: each sentence about somebody else has its source. What could not be checked is left out. */
export const listTopics = (facts: Pick<Facts, 'plan' | 'limits' | 'takesPayments'>): Topic[] => [
  finding,
  revoking(facts.limits),
  marking,
  leaking,
  paying(facts),
];
