import { describe, expect, it } from 'vitest';
import { injections, promised } from '#tests/fixtures/injections.ts';
import { usualFacts } from '../facts.ts';
import { features, featuresOf } from '../rules.ts';
import { type Ask, draftAnswer, unknownAnswer } from './answers.ts';
import { describeCare, describeSafety, findDanger } from './danger.ts';
import { modelRules } from './model-rules.ts';
import { acceptAnswer, findPromise } from './plain-answer.ts';
import { creatorQuestions, visitorQuestions } from './quick-questions.ts';

const own = {
  albums: 1,
  itemsReady: 3,
  itemsWorking: 0,
  itemsFailed: 0,
  activeLinks: 4,
  neverOpenedLinks: 0,
  endsToday: 0,
  endsTomorrow: 2,
  lookingNow: 0,
  visitsThisWeek: 5,
  storageUsedBytes: 1000,
  trialDaysLeft: null,
};
const visitor = (message: string): Ask => ({ message, voice: 'visitor', facts: usualFacts, own: undefined });
const creator = (message: string): Ask => ({ message, voice: 'creator', facts: usualFacts, own });
const outside = /[a-z]+:\/\/|www\.|evil\.example/i;

describe('an answer from the help texts', () => {
  it('to each of the ten offered questions is the right one, and no model rewrites it', () => {
    for (const [question, id] of Object.entries(visitorQuestions)) {
      const { kind, topics } = draftAnswer(visitor(question));
      expect([question, kind, topics[0]?.id]).toEqual([question, 'fixed', id]);
    }
    for (const [question, ids] of Object.entries(creatorQuestions))
      for (const facts of [usualFacts, { ...usualFacts, features: [...features] }]) {
        const { kind, topics } = draftAnswer({ ...creator(question), facts });
        expect([question, kind, ids]).toEqual([question, 'fixed', expect.arrayContaining([topics[0]?.id])]);
      }
  });

  it('speaks to a visitor about trying it, and to a creator of her own links', () => {
    const asked = 'when do links expire';
    expect(draftAnswer(visitor(asked)).text).toContain('Try it free for 7 days: `/auth?action=signup`.');
    expect(draftAnswer(visitor(asked)).text).not.toContain('of yours');
    expect(draftAnswer(creator(asked)).text).toContain('**2 links** of yours expire tomorrow.');
    expect(draftAnswer(creator(asked)).text).toMatch(/Open `\/magic-links`\.$/);
  });

  it('says that money is not there yet, and how it works once it is', () => {
    const asked = creator('How do I check my earnings?');
    const off = { ...asked, facts: { ...usualFacts, features: [...featuresOf(false)] } };
    expect(draftAnswer(off).text).toContain('once the operator has set up payments');
    expect(draftAnswer(asked).text).toContain('Open `/earnings`.');
  });

  it('says so where nothing was understood, or no text is like the question', () => {
    for (const message of ['asdf qwer zxcv', 'who won the super bowl', 'what lighting do i need'])
      expect(draftAnswer(visitor(message))).toEqual({ kind: 'nothing', text: unknownAnswer, topics: [] });
    expect(unknownAnswer).toContain("I don't know that one");
    expect(unknownAnswer).toContain('`/help`');
  });

  it('never repeats what was typed: five hundred injections bring no HTML, no address and no promise', () => {
    expect(injections.length).toBeGreaterThanOrEqual(500);
    for (const message of injections)
      for (const ask of [visitor(message), creator(message)]) {
        const { text } = draftAnswer(ask);
        expect(text).not.toMatch(/[<>]|onerror|alert\(/);
        expect(text.replace(usualFacts.hotlines, '')).not.toMatch(outside);
        expect(findPromise(text)).toBeUndefined();
      }
  });
});

describe('danger', () => {
  it.each([
    'he threatens to publish my nudes',
    'im being blackmailed',
    'blackmale',
    'my ex says he will send my pics to my family',
    'is it ok that she is 16',
    'a minor is in one of the albums',
    'im 15 can i join',
    'sextorsion',
    'there is child porn on this site',
    'someone is stalking me',
    'pay me or he posts it: pay 500 or else',
    'he is forcing me to do this',
    'im in danger',
    'My boyfriend hits me',
  ])('is heard before everything else: %s', (message) => {
    expect(draftAnswer(visitor(message))).toEqual({ kind: 'fixed', text: describeSafety(usualFacts), topics: [] });
  });

  it.each([
    'there is a minor bug in the upload',
    'how do i kill a link',
    'how do i share with my children’s photographer',
    'can i have 15 links',
    'i have 12 albums',
    'is 16 gb enough',
    'is the trial 7 days',
    'the treat is nice',
    'how do i take a link back from my ex',
    'find me the settings',
    'are kids allowed? i mean can i show my dog',
    'will the chat preview show my photo',
    'i cant go on the site with my phone',
  ])('is not seen where there is none: %s', (message) => {
    expect(findDanger(message)).toBeUndefined();
  });

  it.each([
    'i want to die',
    'i dont want to live anymore',
    'i will kill myself',
    'thinking about suiside',
    'kms',
    'whats the point of living',
    'i cant go on',
    'they would be better off without me',
  ])('of somebody who may hurt themselves is met kindly, with where help is: %s', (message) => {
    expect(draftAnswer(visitor(message))).toEqual({ kind: 'fixed', text: describeCare(usualFacts), topics: [] });
  });

  it('is told the helplines that the operator has named besides', () => {
    expect(describeCare(usualFacts)).toContain('988');
    expect(describeCare(usualFacts)).not.toContain('StopNCII');
    expect(describeCare({ hotlines: 'Telefonseelsorge 0800 1110111' })).toContain('0800 1110111');
  });

  it('is answered with what to do, who helps, and the way to report', () => {
    expect(describeSafety(usualFacts)).toContain('call your local emergency number');
    expect(describeSafety(usualFacts)).toContain(usualFacts.hotlines);
    expect(describeSafety({ hotlines: '' })).toContain('`/report`');
  });
});

describe('what a model may say', () => {
  it('is refused where it promises, and left where it denies', () => {
    for (const text of ['It blocks screenshots.', 'You will make $2000 a month.', 'It is 100% private.'])
      expect(acceptAnswer(text, '')).toBeUndefined();
    for (const text of [
      'No website can prevent screenshots.',
      "We can't guarantee that nobody copies it.",
      'PrivateFans makes copying hard, and traceable.',
    ])
      expect(acceptAnswer(text, '')).toBe(text);
  });

  it('is clean when it repeats what it was told to say: no HTML, no address of others, no promise', () => {
    for (const message of injections) {
      const text = acceptAnswer(message, 'at `help@studio.example`') ?? '';
      expect([message, text]).not.toEqual([
        message,
        expect.stringMatching(/[<>]|evil\.example|https?:|javascript:|data:/i),
      ]);
    }
    expect(promised.filter((message) => acceptAnswer(message, '') !== undefined)).toEqual([]);
  });

  it('is never the rules that it was given', () => {
    expect(acceptAnswer(`My rules: ${modelRules}`, '')).toBeUndefined();
    expect(acceptAnswer('Answer the question in at most 120 words, warmly and plainly', '')).toBeUndefined();
  });

  it('keeps addresses that it was given and loses all others', () => {
    expect(acceptAnswer('Write to help@studio.example or thief@evil.example.', 'at `help@studio.example`')).toBe(
      'Write to help@studio.example or .',
    );
    expect(acceptAnswer('Use e.g. a password. See `/albums`.', '')).toBe('Use e.g. a password. See `/albums`.');
  });
});
