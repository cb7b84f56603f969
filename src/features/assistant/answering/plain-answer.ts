import { tellsRules } from './model-rules.ts';

/** The longest answer, in letters: no model writes a page. */
const longest = 1500;

/** Promises that nobody may make: what a website cannot do, and what nobody can know. */
const promises: readonly RegExp[] = [
  /\b(guarantee[sd]?|guaranteed|unhackable|unbreakable|foolproof|bulletproof|leak[\s-]?proof|risk[\s-]?free)\b/i,
  /\b(99|100)(\.\d+)? ?(%|percent|per cent)/i,
  /\b(impossible|unable) (to|for \w+ to) (screenshot|copy|record|save|leak|download|steal|capture)/i,
  /\b(block|prevent|stop|disable|detect|forbid)(s|ed|ing)? (all |any |every )?(screenshots?|screen[\s-]?(captures?|recordings?|grabs?)|leaks?|copying|downloads?)\b/i,
  /\b(can'?t|cannot|can never|can not|never|no ?body can|no one can) (be )?(screenshot|screenshotted|copied|copy|leaked|leak|stolen|recorded|captured)\b/i,
  /\b(you'?ll|you will|you can|creators?|most( people)?)( easily| usually| typically)? (earn|make|get paid)\b[^.\n]{0,30}([$€£]|\d|dollars|thousands|money fast)/i,
  /\b(completely|totally|absolutely|perfectly|fully|always|entirely) (safe|secure|anonymous|private|untraceable)\b/i,
  /\b(no|zero|0) (leaks|risk|chance of (a )?leak)\b/i,
];

/** "No website can prevent a screenshot" says the opposite of a promise. */
const denials =
  /\b(no (web)?sites?|nobody|no one|nothing|we|it|i|privatefans)?\s*(cannot|can ?not|can'?t|could ?n[o']?t|does ?n[o']?t|do ?n[o']?t|won'?t|never|no (web)?sites? can|nobody can|no one can|nothing can)\b[^.\n]{0,30}$/i;

/** Returns whether a text promises what nobody may promise. */
export const findPromise = (text: string): string | undefined => {
  for (const promise of promises) {
    const found = promise.exec(text);
    if (found !== null && !denials.test(text.slice(Math.max(0, found.index - 60), found.index))) return found[0];
  }
  return undefined;
};

// Each begins only where a run of its letters begins: from every letter the rest would be read again.
const addresses =
  /(?<![a-z0-9+.-])[a-z0-9+.-]+:\/\/[^\s`*_)\]]*|\bwww\.[^\s`*_)\]]*|\b(?:javascript|data|vbscript|mailto):[^\s`*_)\]]*/gi;
const names = /(?:(?<![\w.+-])[\w.+-]+@)?(?<![a-z0-9-])(?:[a-z0-9-]+\.){1,8}[a-z]{2,24}\b(?:\/[^\s`*_)\]]*)?/gi;

/**
 * Returns what is left of a model's answer: no HTML, no address that it was not given, no picture, no list or headline, at most so many letters.
 * @param given the texts that it was given, whose addresses it may repeat
 */
export function toPlainAnswer(raw: string, given: string): string {
  return raw
    .slice(0, 4 * longest)
    .normalize('NFKC') // one sign can become eighteen
    .slice(0, 4 * longest)
    .replace(/<[^<>]*>/g, '')
    .replace(/&(?:#\w+|[a-z]+);/gi, '')
    .replace(/[<>]/g, '')
    .replace(/!?\[([^[\]]*)\]\s*\([^()]*\)/g, '$1')
    .replace(/```[a-z]*\n?/g, '')
    .replace(/^\s{0,3}(?:#{1,6}|>|[-*+]) +/gm, '')
    .replace(addresses, '')
    .replace(names, (name) => (given.includes(name) || /^(?:e\.g|i\.e)$/i.test(name) ? name : ''))
    .replace(/[\p{Cc}\p{Cf}]/gu, (letter) => (letter === '\n' ? letter : ''))
    .replace(/[ \t]+/g, ' ')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
    .slice(0, longest);
}

/** A model's answer as it may be shown; undefined when it says what it must not, or nothing. @param given see `toPlainAnswer` */
export function acceptAnswer(raw: string, given: string): string | undefined {
  const text = toPlainAnswer(raw, given);
  return text === '' || findPromise(text) !== undefined || tellsRules(text) ? undefined : text;
}
