import { describe, expect, it } from 'vitest';
import { usualFacts } from '../facts.ts';
import { findTopics } from './find-topics.ts';

const reach = (question: string) => findTopics(question, usualFacts)[0]?.topic.id;

describe('what a question reaches', () => {
  it('is the same for a misspelt word and for the right one', () => {
    expect(reach('recieve tips')).toBe(reach('receive tips'));
    expect(reach('waterrmark')).toBe('visible-mark');
    expect(reach('screnshot')).toBe('screenshots');
  });

  it('is nothing where nothing is asked of it', () => {
    for (const question of ['', '?!', 'asdf qwer zxcv', 'xyzzy plugh frobnicate the quux', 'how to lose weight fast'])
      expect(reach(question)).toBeUndefined();
  });

  it('is the same for words that mean the same', () => {
    expect(reach('discard a selfie')).toBe('delete-item');
    expect(reach('my snaps got pirated')).toBe('found-leak');
    expect(reach('pwd for the weblink')).toBe('link-password');
  });
});
