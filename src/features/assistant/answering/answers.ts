import { formatCount } from '#kit/text.ts';
import type { Facts } from '../contract.ts';
import { findTopics } from '../search/find-topics.ts';
import { listTopics, type Topic } from '../topics/all-topics.ts';
import { isPublicPage } from '../topics/own-pages.ts';
import type { OwnState } from '../topics/topic.ts';
import { describeCare, describeSafety, findDanger } from './danger.ts';
import { creatorQuestions, visitorQuestions } from './quick-questions.ts';

/** Who is spoken to: a visitor about the product, a creator about their work. */
export type Voice = 'visitor' | 'creator';

export interface Ask {
  message: string;
  voice: Voice;
  facts: Facts;
  /** Only of a creator. */
  own: OwnState | undefined;
}

/** What the help texts say. */
export interface Draft {
  /** `fixed` is said as it stands: to danger, to an offered question and to small talk. */
  kind: 'fixed' | 'topic' | 'nothing';
  text: string;
  /** The topics that fit, best first. */
  topics: readonly Topic[];
}

/** How many topics a model is given. */
const mostTopics = 4;

/** What is said to a question that no text is like: nothing is made up. */
export const unknownAnswer =
  "I don't know that one. Everything I can answer is on the help page: `/help`. A person answers on the contact page: `/contact`.";

/** Finds what the help texts say to a message; danger comes before everything else. */
export function draftAnswer(ask: Ask): Draft {
  const { message, facts } = ask;
  const danger = findDanger(message);
  if (danger !== undefined)
    return { kind: 'fixed', text: danger === 'despair' ? describeCare(facts) : describeSafety(facts), topics: [] };
  const offered = findOffered(message, facts);
  if (offered !== undefined) return { kind: 'fixed', text: describeTopic(offered, ask), topics: [offered] };
  const topics = findFitting(message, facts);
  const [best] = topics;
  if (best === undefined) return { kind: 'nothing', text: unknownAnswer, topics };
  return { kind: best.group === undefined ? 'fixed' : 'topic', text: describeTopic(best, ask), topics };
}

const findFitting = (message: string, facts: Facts): Topic[] =>
  findTopics(message, facts)
    .slice(0, mostTopics)
    .map(({ topic }) => topic);

const topicsOfOffered: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({ ...visitorQuestions, ...creatorQuestions }).map(([question, topics]) => [
    question.toLowerCase(),
    [topics].flat(),
  ]),
);

/** A question that was offered has its topic. */
function findOffered(message: string, facts: Facts): Topic | undefined {
  const ids = topicsOfOffered.get(message.trim().toLowerCase());
  return ids && listTopics(facts).find(({ id }) => ids.includes(id));
}

/** A topic's text in the voice, with their own case where there is one, and where to go from there. */
export function describeTopic(topic: Topic, { voice, facts, own }: Omit<Ask, 'message'>): string {
  const text = topic.text(facts);
  if (voice === 'creator') {
    const ownText = own && topic.own?.(own, facts);
    return [text, ownText, topic.group && `Open \`${topic.page}\`.`].filter(Boolean).join('\n\n');
  }
  return [text, topic.group && describeWay(topic, facts)].filter(Boolean).join('\n\n');
}

/** What a visitor may want to try for themselves. */
const toTry: ReadonlySet<Topic['group']> = new Set(['start', 'plan', 'albums', 'links', 'figures']);

function describeWay({ id, group, page }: Topic, { trialDays }: Facts): string {
  if (page === '/auth?action=signup') return `\`${page}\``;
  const more =
    isPublicPage(page) && page !== '/help' && page !== '/' ? `Read more: \`${page}\`.` : `Read more: \`/help#${id}\`.`;
  return toTry.has(group)
    ? `${more}\nTry it free for ${formatCount(trialDays, 'day')}: \`/auth?action=signup\`.`
    : more;
}
