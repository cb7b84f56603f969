import MiniSearch from 'minisearch';
import { stemmer } from 'stemmer';
import type { Facts } from '../contract.ts';
import { usualFacts } from '../facts.ts';
import { listTopics, type Topic } from '../topics/all-topics.ts';
import { type Keys, phrasesOf, readKeys } from './keys.ts';
import { createSpelling } from './spelling.ts';
import { emptyWords, expressions, irregular, meaningsBy, wordsAlike } from './words.ts';

export interface Found {
  topic: Topic;
  /** How well it fits, compared with others. */
  score: number;
  /** Which part of the question a single way of asking knows, by what its words say. */
  nearest: number;
}

/** A shorter word of a key is not what a misspelt one was meant to be: too many other words are as near. */
const leastKeyLetters = 6;

/** A topic that is less like the question is no answer to it: which part of it one way of asking knows, and how well. */
const leastLikeness = 0.65;
const likenessOf = (nearest: number, score: number): number => nearest + score / 100;

const meanings = meaningsBy(stemmer);

/** A text in small letters and plain words. */
const simplify = (text: string): string =>
  expressions.reduce(
    (so, [pattern, word]) => so.replace(pattern, word),
    text
      .toLowerCase()
      .normalize('NFKD')
      .replace(/[\u0300-\u036f'’`]/g, ''),
  );

const split = (text: string): string[] => simplify(text).match(/[\p{L}\p{N}]+/gu) ?? [];

/** Numbers say little, but for the one that is an age. */
const isMereNumber = (word: string): boolean => /^\d+$/.test(word) && word !== '18';

const stemOf = (word: string): string => stemmer(irregular.get(word) ?? word.slice(0, 40));

/** Returns what is compared: a word's stem, or the one word for all that mean the same; a word that says little is told by its mark. */
function meaningOf(word: string): string {
  if (emptyWords.has(word) || isMereNumber(word)) return `~${word}`;
  const stem = stemOf(word);
  return meanings.get(stem) ?? stem;
}

const weightOf = (meaning: string): number => (meaning.startsWith('~') ? 0.12 : 1);
const sumOf = (terms: readonly string[]): number => terms.reduce((sum, term) => sum + weightOf(term), 0);

interface Entry {
  id: number;
  topic: Topic;
  words: string;
  weight: number;
}

/** Everything that a topic is found by: its title, each other way of asking, and its text. */
const entriesOf = (topic: Topic): Omit<Entry, 'id'>[] => [
  { topic, words: topic.title, weight: 1.2 },
  ...topic.asks.map((words) => ({ topic, words, weight: 1 })),
  { topic, words: `${topic.title} ${topic.text(usualFacts)}`, weight: 0.7 },
];

interface TopicSearch {
  keyed: readonly { topic: Topic; keys: Keys }[];
  index: MiniSearch<Entry>;
  entries: readonly Entry[];
  spell: (words: readonly string[]) => string[];
}

function build(topics: readonly Topic[]): TopicSearch {
  const keyed = topics.flatMap((topic) => (topic.keys ? [{ topic, keys: readKeys(topic.keys, stemOf) }] : []));
  const entries = topics
    .filter(({ asks }) => asks.length > 0)
    .flatMap(entriesOf)
    .map((entry, id) => ({ ...entry, id }));
  const index = new MiniSearch<Entry>({
    fields: ['words'],
    tokenize: (text) => split(text).map(meaningOf),
    processTerm: (term) => term,
  });
  index.addAll(entries);
  const known = new Set([
    ...entries.flatMap(({ words }) => split(words)),
    ...wordsAlike,
    ...irregular.keys(),
    ...emptyWords,
  ]);
  const keyWords = keyed.flatMap(({ keys }) => keys.words);
  const stems = new Set([...known, ...keyWords].map(stemmer));
  const targets = new Set([...known, ...keyWords.filter((word) => word.length >= leastKeyLetters)]);
  return { keyed, index, entries, spell: createSpelling(targets, (word) => stems.has(stemmer(word))) };
}

const searches = new Map<string, TopicSearch>();

/** Made once for each set of features: the numbers in the texts find nothing. */
function searchOf({ features }: Pick<Facts, 'features'>): TopicSearch {
  const key = [...features].sort().join();
  const known = searches.get(key) ?? build(listTopics({ features }));
  searches.set(key, known);
  return known;
}

/** The topics that fit a question, best first. */
export function findTopics(question: string, facts: Pick<Facts, 'features'>): Found[] {
  const search = searchOf(facts);
  const asked = search.spell(split(question));
  const certain = findKeyed(search, asked.map(stemOf));
  const likely = findLikely(search, [...new Set(asked.map(meaningOf))]);
  return [...certain, ...likely];
}

/** The topics whose keys are in the question, those first that ask for most of it. */
function findKeyed({ keyed }: TopicSearch, stems: readonly string[]): Found[] {
  const phrases = phrasesOf(stems);
  return keyed
    .map(({ topic, keys }) => ({ topic, score: keys.match(phrases), nearest: 1 }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score);
}

/** The topics whose words are like those of the question. */
function findLikely({ index, entries }: TopicSearch, words: readonly string[]): Found[] {
  if (words.length === 0) return [];
  const hits = index.search(words.join(' '), {
    tokenize: (text) => text.split(' '),
    boostTerm: weightOf,
    prefix: (term) => term.length >= 5 && !term.startsWith('~'),
    // What is asked in a long list of words is asked no less.
    bm25: { k: 1.2, b: 0.3, d: 0.5 },
    weights: { fuzzy: 0, prefix: 0.3 },
    boostDocument: (id) => entries[Number(id)]?.weight ?? 1,
  });
  return rank(
    hits.map(({ id, score, queryTerms }) => ({ entry: entries[Number(id)], score, terms: queryTerms })),
    sumOf(words),
    words.some((word) => !word.startsWith('~')),
  );
}

interface Hit {
  entry: Entry | undefined;
  score: number;
  /** The question's words that it has. */
  terms: readonly string[];
}

/** A topic is as good as its best entry, and a little better for each other one that fits too. @param whole weight of all words */
function rank(hits: readonly Hit[], whole: number, saysSomething: boolean): Found[] {
  const byTopic = new Map<Topic, { scores: number[]; nearest: number }>();
  for (const { entry, score, terms } of hits) {
    if (entry === undefined) continue;
    const of = byTopic.get(entry.topic) ?? { scores: [], nearest: 0 };
    of.scores.push(score * (0.4 + (0.6 * sumOf(terms)) / whole));
    of.nearest = Math.max(of.nearest, sumOf(terms) / whole);
    byTopic.set(entry.topic, of);
  }
  return [...byTopic]
    .map(([topic, { scores, nearest }]) => {
      const [best = 0, ...others] = scores.sort((one, other) => other - one);
      const score = best + others.reduce((sum, score, n) => sum + score * 0.5 ** (n + 1), 0);
      return { topic, score, nearest };
    })
    .filter(({ nearest, score }) => !saysSomething || likenessOf(nearest, score) >= leastLikeness)
    .sort((one, other) => other.score - one.score);
}
