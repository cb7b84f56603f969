import { describe, expect, it } from 'vitest';
import { type AskedQuestion, readQuestions } from '#tests/support/sofia-questions.ts';
import { usualFacts } from '../facts.ts';
import { allTopics } from '../topics/all-topics.ts';
import { missingTopics } from '../topics/missing/missing-topics.ts';
import { draftAnswer } from './answers.ts';
import { findDanger } from './danger.ts';

const asked = readQuestions('tests/fixtures/questions-to-sofia.txt');
/** Written before the texts were tuned, and never tuned on. */
const heldBack = readQuestions('tests/fixtures/sofia-held-back.txt');

const known = new Map<string, string>();

/** The topic that answers a question. */
function answering(question: string): string {
  const id = known.get(question) ?? findAnswering(question);
  known.set(question, id);
  return id;
}

function findAnswering(question: string): string {
  if (findDanger(question) !== undefined) return 'danger';
  return (
    draftAnswer({ message: question, voice: 'visitor', facts: usualFacts, own: undefined }).topics[0]?.id ?? 'unknown'
  );
}

const missedOf = (questions: readonly AskedQuestion[]) =>
  questions
    .map(({ question, must, mustNot }) => ({ question, must, mustNot, got: answering(question) }))
    .filter(({ must, mustNot, got }) => !must.includes(got) || mustNot.includes(got));
const tell = (missed: ReturnType<typeof missedOf>) =>
  missed.map(({ question, must, got }) => `${question} → ${got}, not ${must.join(' or ')}`).join('\n');

describe('what Sofia says to questions as people type them', () => {
  it('is right for 95 of a hundred, of what is here, of what is not, and of what is none of it', () => {
    expect(asked.length).toBeGreaterThanOrEqual(600);
    expect(asked.filter(({ mustNot }) => mustNot.length > 0).length).toBeGreaterThanOrEqual(100);
    const missed = missedOf(asked);
    expect(1 - missed.length / asked.length, tell(missed)).toBeGreaterThanOrEqual(0.95);
  });

  it('is never the one answer that must not be given', () => {
    const wrong = [...asked, ...heldBack].filter(({ question, mustNot }) => mustNot.includes(answering(question)));
    expect(wrong.map(({ question }) => `${question} → ${answering(question)}`)).toEqual([]);
  });

  it('is right for nine of ten questions that nothing was tuned on', () => {
    expect(heldBack).toHaveLength(80);
    const missed = missedOf(heldBack);
    expect(1 - missed.length / heldBack.length, tell(missed)).toBeGreaterThanOrEqual(0.9);
  });

  it('names topics that there are', () => {
    const ids = new Set([...allTopics.map(({ id }) => id), 'unknown', 'danger']);
    const named = [...asked, ...heldBack].flatMap(({ must, mustNot }) => [...must, ...mustNot]);
    expect(named.filter((id) => !ids.has(id))).toEqual([]);
  });

  it('never says yes to what is not here', () => {
    expect(missingTopics.length).toBeGreaterThanOrEqual(50);
    for (const { id, text } of missingTopics)
      expect([id, text(usualFacts)]).not.toEqual([id, expect.stringMatching(/^yes/i)]);
  });
});
