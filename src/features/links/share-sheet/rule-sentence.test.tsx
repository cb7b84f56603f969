import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { formatDate, formatMoment } from '#kit/time.ts';
import { LinkRulesInput } from '../contract.ts';
import { type RuleDraft, RuleSentence } from './rule-sentence.tsx';

const hour = 3_600_000;
const usual: RuleDraft = {
  recipientName: '',
  recipientChannel: null,
  rules: LinkRulesInput.parse({}),
  expiry: { kind: 'never' },
  hasPassword: false,
};
const longAgo = new Date(2020, 11, 20, 12);
const change = () => undefined;

/** The sentence of these choices: as it is read, with its words to tap in brackets. */
function say(more: Partial<RuleDraft> = {}, rules: Partial<LinkRulesInput> = {}, shows?: string): string {
  const draft = { ...usual, ...more, rules: { ...usual.rules, ...rules } };
  return renderToStaticMarkup(<RuleSentence draft={draft} onChange={change} shows={shows} />)
    .replaceAll(/<button[^>]*>/g, '[')
    .replaceAll('</button>', ']')
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll('&#x27;', "'");
}

describe('the rule of a link as one sentence', () => {
  it('says what the API does when nothing is said: for adults only', () => {
    expect(say()).toBe(
      'For [someone], [free] to view [any time], open to [anyone who has it], [adults only]. Ends [never].',
    );
  });

  it.each<[Partial<RuleDraft>, Partial<LinkRulesInput>, string]>([
    [{ recipientName: 'Bob' }, {}, 'For [Bob], [free]'],
    [{}, { openForMs: 24 * hour }, "[free] to view for [24 hours] after it's first opened, open"],
    [{}, { viewBudgetMs: 600_000 }, '[free] to view for [10 minutes] in total, open'],
    [{}, { bindFirstViewer: true }, 'open to [one person], [adults only].'],
    [{}, { maxViewers: 3 }, 'open to [3 people], [adults only].'],
    [{}, { ageGate: false }, 'open to [anyone who has it], of [any age]. Ends'],
    [{}, { ageGate: false, maxViewers: 3 }, 'open to [3 people], of [any age]. Ends'],
    [{ hasPassword: true }, {}, 'open to [anyone who has it] and [a password], [adults only]. Ends'],
    [{ hasPassword: true }, { ageGate: false }, 'and [a password], of [any age]. Ends'],
    [{}, { maxVisits: 3, maxConcurrent: 1 }, '[adults only]. Limits: [3 visits each], [1 screen at a time]. Ends'],
    [{}, { geo: { mode: 'block', countries: ['FR'], whenUnknown: 'deny' } }, '. Limits: [not in France]. Ends'],
    [{}, { email: { verify: true, allow: [] } }, '[adults only]. By email: [any address]. Ends'],
    [{}, { notBefore: longAgo.toISOString() }, `. Opens [${formatMoment(longAgo, new Date(2026, 0))}]. Ends`],
    [{ expiry: { kind: 'after', hours: 1 } }, {}, '[adults only]. Ends [in 1 hour].'],
    [{ expiry: { kind: 'after', hours: 24 } }, {}, '[adults only]. Ends [in 24 hours].'],
    [{ expiry: { kind: 'at', at: longAgo } }, {}, `Ends [${formatDate(longAgo, new Date(2026, 0))}].`],
  ])('%j %j: …%s', (draft, rules, words) => {
    expect(say(draft, rules)).toContain(words);
  });

  it('begins with what it shows where that is not said elsewhere', () => {
    expect(say({ recipientName: 'Bob' }, { ageGate: false }, 'Golden hour')).toMatch(
      /^Golden hour for \[Bob\], \[free\]/,
    );
  });
});
