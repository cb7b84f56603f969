import { readFileSync } from 'node:fs';

/** A question as somebody typed it, with the topics that answer it and those that must not. */
export interface AskedQuestion {
  question: string;
  must: readonly string[];
  mustNot: readonly string[];
}

/** Reads questions that are written `question -> topic | topic ! topic | topic`. */
export const readQuestions = (file: string): AskedQuestion[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [question = '', topics = ''] = line.split(' -> ');
      const [must = '', mustNot] = topics.split(' ! ');
      return { question, must: must.split(' | '), mustNot: mustNot === undefined ? [] : mustNot.split(' | ') };
    });
