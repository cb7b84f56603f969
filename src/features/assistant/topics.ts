import type { Facts } from './contract.ts';
import { accountTopics } from './topics/account.ts';
import { albumTopics } from './topics/albums.ts';
import { figureTopics } from './topics/figures.ts';
import { linkTopics } from './topics/links.ts';
import { moneyTopics } from './topics/money.ts';
import { planTopics } from './topics/plan.ts';
import { protectionTopics } from './topics/protection.ts';
import { linkRuleTopics } from './topics/rules-of-links.ts';
import { startTopics } from './topics/start.ts';
import { talkTopics } from './topics/talk.ts';
import type { Topic } from './topics/topic.ts';
import { viewerTopics } from './topics/viewers.ts';

export type { Topic };

/** Everything that can be asked about, in the order of the help page. */
export const allTopics: readonly Topic[] = [
  ...startTopics,
  ...planTopics,
  ...albumTopics,
  ...linkTopics,
  ...linkRuleTopics,
  ...viewerTopics,
  ...protectionTopics,
  ...figureTopics,
  ...moneyTopics,
  ...accountTopics,
  ...talkTopics,
];

/** The topics of a version that has these features: what is not there yet is not spoken of as if it were. */
export const listTopics = ({ features }: Pick<Facts, 'features'>): readonly Topic[] =>
  allTopics.filter(
    ({ needs, until }) =>
      (needs === undefined || features.includes(needs)) && (until === undefined || !features.includes(until)),
  );
