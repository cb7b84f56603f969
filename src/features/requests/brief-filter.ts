/** What nobody may be asked to make, and what a brief may not say. */
export type BriefRule = 'minors' | 'consent' | 'payment' | 'contact';

/** How each rule is said to whoever has broken it. */
export const briefRuleWords: Readonly<Record<BriefRule, string>> = {
  minors: 'Rule: adults only. Nothing may show or play someone under 18, or look as if it did.',
  consent: 'Rule: consent. Nothing may be made without the agreement of everyone shown, or look as if it were.',
  payment: 'Rule: payment stays here. Take out other ways to pay; only what is paid here is held for you.',
  contact: 'Rule: contact stays here. Take out addresses, phone numbers, links and names in other apps.',
};

const rules: readonly (readonly [BriefRule, readonly RegExp[]])[] = [
  [
    'minors',
    [
      /\b(under ?-?age|minors?|jail ?bait|lolita|lolicon|shota|pre-?teens?|pedo\w*)\b/,
      /\b(child|children|kids?|toddlers?|school ?(girls?|boys?|uniforms?)|little (girls?|boys?)|teen(age|aged|ager|agers|s)?)\b/,
      /\b(1[0-7]|[1-9]) ?-? ?(years?|yrs?|y\/?o)\b(?! ?(ago|together|experience))/,
      /\bbarely (18|legal)\b/,
    ],
  ],
  [
    'consent',
    [
      /\b(rape|raped|raping|rapey|molest\w*|non-?con|nonconsens\w*|non-consens\w*|without (her|his|their|your) (consent|knowledge|permission))\b/,
      /\b(hidden cam(era)?|spy ?cam|up ?skirt|revenge porn|deep ?fakes?|face ?swap|blackmail\w*|drugged|passed out|unconscious|while (she|he|they) sleeps?)\b/,
    ],
  ],
  [
    'payment',
    [
      /\b(pay ?pal|venmo|cash ?app|zelle|revolut|western union|money ?gram|bitcoins?|btc|crypto\w*|usdt|ethereum|gift ?cards?|bank transfer|wire transfer|iban|paysafe\w*|ko-?fi|wishlist|throne\.com)\b/,
      /\b(pay|paid|send)( you)? (outside|directly|off( the)? (site|platform))\b/,
    ],
  ],
  [
    'contact',
    [
      /[\w.+-]+ ?@ ?[\w-]+(\.[\w-]+)+/,
      /\b(https?:\/\/|www\.)\S+/,
      /\b[\w-]+\.(com|net|org|me|io|gg|link|app|ru|co)\b/,
      /(?:\+|\b00)\d(?:[ ().-]?\d){7,}|\b\d{3}[ .-]\d{3}[ .-]\d{4}\b/,
      /\b(whats ?app|telegram|snap ?chat|discord|kik|wickr|skype|instagram|insta|onlyfans|my (number|email|e-mail|snap))\b/,
      /(^|\s)@[a-z0-9_.]{3,}/,
    ],
  ],
];

/** As it is read: without the letters that are put in between so that it is not found. */
const plain = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/\p{M}|[\u200b-\u200f\u2060\ufeff]/gu, '')
    .toLowerCase()
    .replace(/\s+/g, ' ');

/** The rule that a text breaks; undefined where it breaks none. It finds what is said plainly, and a person reads every brief. */
export function findBriefFault(...texts: readonly string[]): BriefRule | undefined {
  const read = texts.map(plain);
  return rules.find(([, patterns]) => read.some((text) => patterns.some((pattern) => pattern.test(text))))?.[0];
}
