import type { Facts } from '../contract.ts';
import { usualHotlines } from '../facts.ts';
import { countFaults } from '../search/spelling.ts';

/** Whole words that say that somebody may hurt themselves, as people type them, in the languages that they fall back to. */
const despairWords =
  'suicide suicidal suicid suizid selbstmord suicidio suicidarme selfharm selbstverletzung kms unalive'.split(' ');

/** The same for whoever is threatened by somebody else. */
const dangerWords = [
  'blackmail blackmailed blackmailing blackmailer extort extorted extorting extortion sextortion sextort ransom erpressung erpresst chantage chantaje ricatto',
  'threat threats threaten threatens threatened threatening amenaza amenazas drohung droht menace menaces',
  'underage underaged preteen csam pedophile paedophile pedo minderjährig minderjährige',
  'rape raped raping rapist molested molesting grooming groomed trafficked trafficking',
  'stalker stalking stalked stalks',
].flatMap((line) => line.split(' '));

/** What says the same in several words. */
const despairPhrases: readonly RegExp[] = [
  /\b(kill|killing|hurt|hurting|harm|harming|cut|cutting) (my|him|her|them|your)sel(f|ves)\b/,
  /\bself[\s-]+harm/,
  /\b(want|wanna|going|gonna|ready|params|plan) (to |i (was|were) )?(die|dead|end it all|end it$|end my (own )?life)\b|\bend my (own )?life\b/,
  /\bdon'?t want to (live|be alive|be here)\b|\b(no|see a|the|any) (reason|point) (to live|to go on|(of|in) (living|life|being alive|going on))\b/,
  /\b(hate|sick of|tired of) (my life|living|being alive)\b|\bcan'?t go on\b(?! (the|this|my|your|a|it|with|to|here|line)\b)|\bbetter off (dead|without me)\b|\bwish i (was|were) never born\b/,
];

/** What is no danger in a single word, and is one in its place. */
const dangerPhrases: readonly RegExp[] = [
  /\b(kill|murder|hurt|beat|shoot|stab|rape|find) (me|us)\b(?! (a|an|the|some)\b)/,
  /\b(a|the|is|are|was|were|am|im|she'?s|he'?s|of|with|these|those|any|only|still) minors?\b(?! (bug|change|issue|problem|detail|question|thing|update|point|edit|flaw|error|fix))/,
  /\bminors\b/,
  /\b(i'?m|i am|she is|she'?s|he is|he'?s|girl is|boy is|aged?|only|is) (1[0-7]|[5-9])\b(?! ?(st|nd|rd|th|%|\$|dollars?|usd|minutes?|min|hours?|days?|weeks?|months?|photos?|pictures?|pics?|videos?|albums?|links?|people|viewers?|gb|mb))/,
  /\b(1[0-7]|[5-9])[\s-]*(yo|y\/o|yrs?|years?)[\s-]*(old)?\b(?! (ago|later|plan|subscription))/,
  /\b(child|kid|kids|children|teen|teens|teenager|baby)[\s-]+(porn|nude|nudes|naked|abuse|sex|sexual|pics|pictures|photos|images)\b/,
  /\b(nude|nudes|naked|sexual|porn)\b.{0,30}\b(child|kid|kids|children|schoolgirl|schoolboy|daughter|son)\b/,
  /(?:\S will|\bgoing to|\bgonna|wants? to|says? (he|she|they)|if i don'?t|unless i)\b.{0,40}\b(post|leak|publish|send|share|show|expose|upload|spread)\b.{0,40}\b(my|me|our)\b.{0,25}\b(nudes?|pics?|pictures?|photos?|videos?|naked|family|parents|boss|everyone|friends)\b/,
  /\b(pay|send money|give money|wire)\b.{0,30}\b(or (he|she|they)|otherwise|else)\b/,
  /\b(he|she|they|someone|somebody|my (ex|boyfriend|husband|partner)) (is|are|keeps?|was)?\s*(hitting|hits|beating|beats|abusing|abuses|forcing|forces|following) (me|us)\b/,
  /\b(i am|i'?m|im|being) (in danger|not safe|unsafe|scared for my life|afraid for my life|being forced|forced to)\b/,
];

/** What a message speaks of: somebody who may hurt themselves, or who is in danger because of others. */
export type Danger = 'despair' | 'danger';

/** Finds danger in a message. It is asked before everything else, and errs on the safe side. */
export function findDanger(message: string): Danger | undefined {
  const text = message.toLowerCase().normalize('NFKC').replace(/[’`]/g, "'");
  const words = text.slice(0, 1000).match(/[\p{L}]+/gu) ?? [];
  const says = (phrases: readonly RegExp[], known: readonly string[]) =>
    phrases.some((phrase) => phrase.test(text)) || words.some((word) => known.includes(word) || isNearly(word, known));
  if (says(despairPhrases, despairWords)) return 'despair';
  return says(dangerPhrases, dangerWords) ? 'danger' : undefined;
}

/** "blackmale", "suiside", "thretening": in a long word one letter may be wrong, in a longer one two. */
const isNearly = (word: string, known: readonly string[]): boolean =>
  word.length >= 7 &&
  known.some(
    (danger) =>
      danger.length >= 7 &&
      danger[0] === word[0] &&
      countFaults(word, danger, 3) <= (Math.min(word.length, danger.length) >= 9 ? 2 : 1),
  );

/** What somebody is told who may hurt themselves. Like the next text it is always the same, and no model has a hand in it. */
export const describeCare = ({ hotlines }: Pick<Facts, 'hotlines'>): string =>
  [
    "**I'm really sorry that it's this hard right now. You matter, and you don't have to go through it alone.**",
    'If you might hurt yourself, please call your local emergency number now, or ask somebody near you to stay with you.',
    'People who listen, free and in confidence: in the US and Canada call or text **988**; in the UK and Ireland call **116 123**; anywhere else findahelpline.com shows who to call or write to in your country.',
    'I am only a program and can’t be that person for you. They can.',
    hotlines === usualHotlines ? '' : hotlines,
  ]
    .filter((line) => line !== '')
    .join('\n\n');

/** What somebody in danger is told. It is always the same, and no model has a hand in it. */
export const describeSafety = ({ hotlines }: Pick<Facts, 'hotlines'>): string =>
  [
    "**You don't have to handle this alone.**",
    'If you or someone else is in danger right now, call your local emergency number.',
    'If someone threatens you with your pictures: **don’t pay, don’t delete anything**, and stop replying. Keep the messages as evidence and go to the police. If you have an account here, **Lock everything now** in `/profile/security` closes all your links at once.',
    'Report pictures on this site in `/report`. You need no account, and a complete report of an intimate picture shared without consent hides it at once.',
    'If someone shown is under 18, never send the picture on to anyone but the police.',
    hotlines,
  ]
    .filter((line) => line !== '')
    .join('\n\n');
