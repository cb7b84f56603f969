import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { usualFacts } from '../facts.ts';
import { allTopics } from '../topics/all-topics.ts';
import { findTopics } from './find-topics.ts';

/** Each question with the topics that answer it. */
const questionsToSofia = readFileSync('tests/fixtures/questions-to-sofia.txt', 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => {
    const [question = '', topics = ''] = line.split(' -> ');
    return [question, ...topics.split(' | ')] as const;
  });

const reach = (question: string) => findTopics(question, usualFacts)[0]?.topic.id;

describe('what a question reaches', () => {
  it('is the right topic for nine of ten questions as people type them', () => {
    expect(questionsToSofia.length).toBeGreaterThanOrEqual(120);
    const missed = questionsToSofia.filter(([question, ...topics]) => !topics.includes(reach(question) ?? ''));
    const told = missed.map(([question, topic]) => `${question} → ${reach(question)}, not ${topic}`);
    expect(1 - missed.length / questionsToSofia.length, told.join('\n')).toBeGreaterThanOrEqual(0.9);
  });

  it('is known: every topic that a question shall reach is one', () => {
    const ids = new Set(allTopics.map(({ id }) => id));
    expect(questionsToSofia.flatMap(([, ...topics]) => topics).filter((id) => !ids.has(id))).toEqual([]);
  });

  it('is the same for a misspelt word and for the right one', () => {
    expect(reach('recieve tips')).toBe(reach('receive tips'));
    expect(reach('waterrmark')).toBe('visible-mark');
    expect(reach('screnshot')).toBe('screenshots');
  });

  it('is nothing where nothing is asked of it', () => {
    for (const question of ['', '?!', 'asdf qwer zxcv', 'xyzzy plugh frobnicate the quux'])
      expect(reach(question)).toBeUndefined();
  });

  it('is the same for words that mean the same', () => {
    expect(reach('discard a selfie')).toBe('delete-item');
    expect(reach('my snaps got pirated')).toBe('found-leak');
    expect(reach('pwd for the weblink')).toBe('link-password');
  });
});
