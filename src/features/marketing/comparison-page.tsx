import { useFacts } from './facts-context.tsx';
import { Closing } from './site/closing.tsx';
import { SiteFrame, SiteTitle } from './site/site-frame.tsx';
import { metaOf } from './site-pages.ts';
import { checkedOn, listTopics } from './words/comparison-words.ts';
import { TopicList } from './words/topic-list.tsx';

export const meta = () => metaOf('/comparison');

/** PrivateFans beside others, in sentences that can be checked. */
export default function ComparisonPage() {
  const facts = useFacts();
  return (
    <SiteFrame>
      <SiteTitle
        title="Side by side, with sources"
        lead={`What we say of others comes from copies of their own pages, or of the article named, read on ${checkedOn}. Pages change: follow the link for what it says today.`}
      />
      <TopicList topics={listTopics(facts)} />
      <section className="mx-auto max-w-290 px-5 pb-10">
        <p className="max-w-180 text-quiet">
          Other platforms change their rules and prices, and their names belong to their owners. If something here is no
          longer true, please tell us. What PrivateFans itself cannot do is listed on the page about creator safety.
        </p>
      </section>
      <Closing />
    </SiteFrame>
  );
}
