import type { Facts } from '../contract.ts';
import { countFaults } from '../search/spelling.ts';

/** Whole words that say that somebody is in danger, as people type them, in the languages that they fall back to. */
const dangerWords = [
  'suicide suicidal suicid suizid selbstmord suicidio suicidarme selfharm selbstverletzung',
  'blackmail blackmailed blackmailing blackmailer extort extorted extorting extortion sextortion sextort ransom erpressung erpresst chantage chantaje ricatto',
  'threat threats threaten threatens threatened threatening amenaza amenazas drohung droht menace menaces',
  'underage underaged preteen csam pedophile paedophile pedo minderjährig minderjährige',
  'rape raped raping rapist molested molesting grooming groomed trafficked trafficking',
  'stalker stalking stalked stalks',
].flatMap((line) => line.split(' '));

/** Longer ones are known with one letter wrong, too. */
const spelled = dangerWords.filter((word) => word.length >= 7);

/** What is no danger in a single word, and is one in its place. */
const dangerPhrases: readonly RegExp[] = [
  /\b(kill|killing|hurt|hurting|harm|harming|cut|cutting) (my|him|her|them|your)sel(f|ves)\b/,
  /\bself[\s-]+harm/,
  /\b(want|wanna|going|gonna|ready|wish|plan) (to |i (was|were) )?(die|dead|end it all|end my (own )?life)\b|\bend my (own )?life\b|\bdon'?t want to (live|be alive|be here)\b|\bno reason to live\b/,
  /\b(kill|murder|hurt|beat|shoot|stab|rape|find) (me|us)\b(?! (a|an|the|some)\b)/,
  /\b(a|the|is|are|was|were|am|im|she'?s|he'?s|of|with|these|those|any|only|still) minors?\b(?! (bug|change|issue|problem|detail|question|thing|update|point|edit|flaw|error|fix))/,
  /\bminors\b/,
  /\b(i'?m|i am|she is|she'?s|he is|he'?s|girl is|boy is|aged?|only|is) (1[0-7]|[5-9])\b(?! ?(st|nd|rd|th|%|\$|dollars?|usd|minutes?|min|hours?|days?|weeks?|months?|photos?|pictures?|pics?|videos?|albums?|links?|people|viewers?|gb|mb))/,
  /\b(1[0-7]|[5-9])[\s-]*(yo|y\/o|yrs?|years?)[\s-]*(old)?\b(?! (ago|later|plan|subscription))/,
  /\b(child|kid|kids|children|teen|teens|teenager|baby)[\s-]+(porn|nude|nudes|naked|abuse|sex|sexual|pics|pictures|photos|images)\b/,
  /\b(nude|nudes|naked|sexual|porn)\b.{0,30}\b(child|kid|kids|children|schoolgirl|schoolboy|daughter|son)\b/,
  /\b(will|going to|gonna|wants? to|says? (he|she|they)|if i don'?t|unless i)\b.{0,40}\b(post|leak|publish|send|share|show|expose|upload|spread)\b.{0,40}\b(my|me|our)\b.{0,25}\b(nudes?|pics?|pictures?|photos?|videos?|naked|family|parents|boss|everyone|friends)\b/,
  /\b(pay|send money|give money|wire)\b.{0,30}\b(or (he|she|they)|otherwise|else)\b/,
  /\b(he|she|they|someone|somebody|my (ex|boyfriend|husband|partner)) (is|are|keeps?|was)?\s*(hitting|hits|beating|beats|abusing|abuses|forcing|forces|following) (me|us)\b/,
  /\b(i am|i'?m|im|being) (in danger|not safe|unsafe|scared for my life|afraid for my life|being forced|forced to)\b/,
];

/** Whether a message speaks of danger. It is asked before everything else, and errs on the safe side. */
export function isDanger(message: string): boolean {
  const text = message.toLowerCase().normalize('NFKC').replace(/[’`]/g, "'");
  if (dangerPhrases.some((phrase) => phrase.test(text))) return true;
  const words = text.slice(0, 1000).match(/[\p{L}]+/gu) ?? [];
  return words.some((word) => dangerWords.includes(word) || isNearlyOne(word));
}

/** "blackmale", "suiside", "thretening": one letter may be wrong, in a longer word two. */
const isNearlyOne = (word: string): boolean =>
  word.length >= 7 &&
  spelled.some(
    (danger) =>
      danger[0] === word[0] && countFaults(word, danger, 3) <= (Math.min(word.length, danger.length) >= 9 ? 2 : 1),
  );

/** What somebody in danger is told. It is always the same, and no model has a hand in it. */
export const tellSafety = ({ hotlines }: Pick<Facts, 'hotlines'>): string =>
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
