import { describe, expect, it } from 'vitest';
import { usualFacts } from './facts.ts';
import { listQuestions } from './questions.ts';
import { features } from './rules.ts';

describe('what people ask before they begin', () => {
  it('answers the six questions in their order, the last one with the terms', () => {
    const questions = listQuestions({ ...usualFacts, trialDays: 14, priceCents: 100, leaseSeconds: 45 });
    expect(questions.map(({ question }) => question)).toEqual([
      'What is PrivateFans?',
      'Do my viewers need an account?',
      'Can somebody screenshot or download my pictures?',
      'How and when do I get paid?',
      'Can I take a link back?',
      'What does it cost, and how do I cancel?',
    ]);
    expect(questions.at(4)?.answer).toContain('within 45 seconds.');
    expect(questions.at(-1)?.answer).toMatch(/^14 days free, then \$1\.00 a month\./);
  });
  it('never promises what a website cannot keep', () => {
    const words = [usualFacts, { ...usualFacts, features: [...features] }]
      .flatMap(listQuestions)
      .map(({ answer }) => answer)
      .join(' ');
    expect(words).not.toMatch(/100 ?%|impossible to|blocks? screenshots|guarantee|unremovable/i);
    expect(words).toContain('makes copying hard, and traceable');
  });
});
