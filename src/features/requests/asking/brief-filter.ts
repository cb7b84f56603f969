/** What nobody may be asked to make, and what a brief may not say. */
export type BriefRule = 'minors' | 'consent' | 'payment' | 'contact';

/** How each rule is said to whoever has broken it. */
export const briefRuleWords: Readonly<Record<BriefRule, string>> = {
  minors: 'Rule: adults only. Nothing may show or play someone under 18, or look as if it did.',
  consent: 'Rule: consent. Nothing may be made without the agreement of everyone shown, or look as if it were.',
  payment: "Rule: payments stay here. Leave out other ways to pay; only what's paid here is held for you.",
  contact: 'Rule: contact stays here. Take out addresses, phone numbers, links and names in other apps.',
};

/** An age under 18, in figures or in words. */
const young =
  '(?:1[0-7]|[1-9]|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen)';
const years = '(?:years?|yrs?)';
/** What tells that a number of years is a time and no age: what stands before it, and what follows it. */
const timeBefore = '(?<!\\b(?:for|after|within|last|past|next|every|our|celebrat\\w+) )';
const timeAfter = '(?:ago|together|married|later|apart|experience|as a couple|of (?!age))';
/** Who is spoken of, and that an age follows. */
const persons =
  "(?:i am|i'?m|im|she is|she'?s|he is|he'?s|you are|you'?re|they are|they'?re|(?:i|you|she|he|they|we) (?:was|were)|turn(?:s|ed|ing)?|(?:pretend|supposed|meant|want|play|act|look)\\w* (?:to be|as|like|being)?)";
const almost = '(?:just|only|still|about|around|almost|nearly|again)';
/** What is counted there is no years. */
const counted =
  '(?:photos?|pictures?|pics?|videos?|clips?|minutes?|mins?|seconds?|hours?|days?|weeks?|months?|people|of|in (?:all|total)|times|cm|inch|feet|ft|kg|percent|[%$]|[:.,]\\d|am\\b|pm\\b)';
/** A number of years is read as an age where nothing explains it. */
const agesOfMinors: readonly RegExp[] = [
  `\\b${young}[ -]*${years}[ -]*(?:olds?|of age|young)\\b`,
  `\\b${young}[ -]*(?:y\\/?o|yr?olds?)\\b`,
  `${timeBefore}\\b${young}[ -]*${years}\\b(?![ -]*${timeAfter})`,
  `\\b(?:age|aged|ages)[ :]*(?:of |about |around |just |only )?${young}\\b`,
  `\\b${persons} *(?:${almost} )*${young}\\b(?! ?(?:${counted}|${years}\\b))`,
].map((pattern) => new RegExp(pattern));

const rules: readonly (readonly [BriefRule, readonly RegExp[]])[] = [
  [
    'minors',
    [
      /\b(under ?-?age|minors?|jail ?bait|lolita|lolicon|shota|pre-?teens?|pedo\w*)\b/,
      /\b(child|children|kids?|toddlers?|school ?(girls?|boys?|uniforms?)|little (girls?|boys?)|teen(age|aged|ager|agers|s)?)\b/,
      ...agesOfMinors,
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
      /[\w.+-] ?@ ?[\w-]+\.[\w-]/,
      /\b(https?:\/\/|www\.)\S+/,
      /\w-*\.(com|net|org|me|io|gg|link|app|ru|co)\b/,
      /(?:\+|\b00)\d(?:[ ().-]?\d){7}|\b\d{3}[ .-]\d{3}[ .-]\d{4}\b/,
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
