import { implement } from '@orpc/server';
import { networkOf } from '#features/audit/rules.ts';
import { hashKey, takeRate } from '#features/audit/store.ts';
import { aliveSinceOf } from '#features/links/alive-since.ts';
import { featureSentences } from '#features/settings/features.ts';
import type { Settings } from '#features/settings/rules.ts';
import { settingsOf } from '#features/settings/settings.ts';
import { formatCount } from '#kit/text.ts';
import { dayMs, monthOf } from '#kit/time.ts';
import { creatorRefusal } from '#wire/answer.ts';
import type { Actor, Context } from '#wire/context.ts';
import { refuse } from '#wire/refusals.ts';
import { describeTopic, draftAnswer, type Voice } from './answering/answers.ts';
import { modelRules } from './answering/model-rules.ts';
import { acceptAnswer } from './answering/plain-answer.ts';
import { takeAnswer } from './answers-store.ts';
import { assistantContract } from './contract.ts';
import { factsOf } from './facts.ts';
import { findOwnState } from './store.ts';
import type { OwnState } from './topics/topic.ts';

const answer = implement(assistantContract).$context<Context>();

/** What Sofia says, and what the help page says in numbers. */
export const assistantApi = {
  chat: answer.chat.handler(async ({ context, input: { message } }) => ({
    response: await answerMessage(context, message),
  })),
  facts: answer.facts.handler(async ({ context: { engines } }) =>
    factsOf(await settingsOf(engines), engines.installation.operatorEmail, !engines.payments.isOff),
  ),
};

async function answerMessage(context: Context, message: string): Promise<string> {
  const { engines } = context;
  const actor = await context.actor();
  const settings = await settingsOf(engines);
  await takeQuestion(context, actor, settings);
  const facts = factsOf(settings, engines.installation.operatorEmail, !engines.payments.isOff);
  const own = voiceOf(actor) === 'creator' ? await ownStateOf(context, actor) : undefined;
  const ask = { message, voice: voiceOf(actor), facts, own };
  const draft = draftAnswer(ask);
  // Somebody in danger is answered whatever is turned off.
  const isDanger = draft.kind === 'fixed' && draft.topics.length === 0;
  if (!isDanger && settings['features.assistant'] === 0) return featureSentences['features.assistant'];
  if (draft.kind !== 'topic') return draft.text;
  const texts = draft.topics.map((topic) => `${topic.title}\n${describeTopic(topic, ask)}`);
  if (engines.assistant.host !== null && !(await takeModelAnswer(context, actor, settings))) return draft.text;
  context.waitOutside();
  const written = await engines.assistant.write({ message, rules: modelRules, texts, draft: draft.text });
  return written.by === 'draft' ? draft.text : (acceptAnswer(written.text, texts.join('\n')) ?? draft.text);
}

/** The session decides: only a creator who could open the studio is spoken to about their own work. */
const voiceOf = (actor: Actor): Voice =>
  actor.kind !== 'visitor' && creatorRefusal(actor.access) === undefined ? 'creator' : 'visitor';

/**
 * Counts a question: of an account, else of a network.
 * @throws RATE_LIMITED with the way to the texts that need nobody to answer
 */
async function takeQuestion(
  { engines, caller, now, asSystem }: Context,
  actor: Actor,
  settings: Settings,
): Promise<void> {
  const [limit, key] =
    actor.kind === 'visitor'
      ? [settings['assistant.visitorQuestions'], hashKey(engines.keys, 'chat_network', networkOf(caller.address))]
      : [settings['assistant.creatorQuestions'], hashKey(engines.keys, 'chat', actor.userId)];
  const { isOver, retryAfterSeconds } = await asSystem((tx) => takeRate(tx, { key, limit, windowSeconds: 3600, now }));
  if (!isOver) return;
  const minutes = formatCount(Math.max(1, Math.ceil(retryAfterSeconds / 60)), 'minute');
  throw refuse('RATE_LIMITED', {
    retryAfter: retryAfterSeconds,
    message: `That's a lot of questions. Please ask again in ${minutes}; everything I know is on the help page too.`,
  });
}

/** A creator's answers by the model are counted: the month's free ones first, then those that they paid for with credits. */
async function takeModelAnswer({ asSystem, now }: Context, actor: Actor, settings: Settings): Promise<boolean> {
  if (actor.kind === 'visitor') return true;
  const ofMonth = { userId: actor.userId, month: monthOf(now) };
  return asSystem((tx) => takeAnswer(tx, ofMonth, settings['assistant.freeAnswers']));
}

async function ownStateOf(context: Context, actor: Actor): Promise<OwnState | undefined> {
  if (actor.kind === 'visitor') return undefined;
  const { engines, now } = context;
  const params = { creatorId: actor.userId, now, aliveSince: await aliveSinceOf(context) };
  const row = await engines.database.work({ kind: 'user', userId: actor.userId }, (tx) => findOwnState(tx, params));
  if (row === undefined) return undefined;
  const { trialEndsAt, ...state } = row;
  const trialDaysLeft = trialEndsAt && Math.max(0, Math.ceil((trialEndsAt.getTime() - now.getTime()) / dayMs));
  return { ...state, trialDaysLeft };
}
