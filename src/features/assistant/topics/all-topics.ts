import type { Facts } from '../contract.ts';
import { accountTopics } from './account.ts';
import { albumTopics } from './albums.ts';
import { figureTopics } from './figures.ts';
import { linkTopics } from './links.ts';
import { careTopics } from './missing/care.ts';
import { missingTopics } from './missing/missing-topics.ts';
import { moneyTopics } from './money.ts';
import { planTopics } from './plan.ts';
import { protectionTopics } from './protection.ts';
import { linkRuleTopics } from './rules-of-links.ts';
import { startTopics } from './start.ts';
import { talkTopics } from './talk.ts';
import type { Topic } from './topic.ts';
import { viewerTopics } from './viewers.ts';

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
  ...careTopics,
  ...missingTopics,
  ...talkTopics,
];

/** The topics of a version that has these features: what is not there yet is not spoken of as if it were. */
export const listTopics = ({ features }: Pick<Facts, 'features'>): readonly Topic[] =>
  allTopics.filter(
    ({ needs, until }) =>
      (needs === undefined || features.includes(needs)) && (until === undefined || !features.includes(until)),
  );
