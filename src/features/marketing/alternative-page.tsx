import { ArrowRight } from 'lucide-react';
import { Link } from 'react-router';
import { useFacts } from './facts-context.tsx';
import { Closing } from './site/closing.tsx';
import { SiteFrame, SiteTitle } from './site/site-frame.tsx';
import { SitePart } from './site/site-part.tsx';
import { metaOf } from './site-pages.ts';
import { listTopics } from './words/comparison-words.ts';
import { TopicList } from './words/topic-list.tsx';

export const meta = () => metaOf('/onlyfans-alternative');

const fits = [
  {
    title: 'PrivateFans fits if',
    points: [
      'you share with people you know or have chosen, not with an audience',
      'you want to see each visit, and to be able to end it',
      'you would rather not have a page that can be found',
    ],
  },
  {
    title: 'OnlyFans fits better if',
    points: [
      'you want to be discovered by many subscribers',
      'you want to publish a feed, messages and live streams in one place',
      'you share sexually explicit content: it is not allowed here',
    ],
  },
];

/** For somebody who looks for another way; fair to the one they come from. */
export default function AlternativePage() {
  const facts = useFacts();
  const topics = listTopics(facts)
    .map((topic) => ({ ...topic, others: topic.others.filter(({ platform }) => platform === 'OnlyFans') }))
    .filter(({ others }) => others.length > 0);
  return (
    <SiteFrame>
      <SiteTitle
        title="A private alternative to OnlyFans"
        lead="OnlyFans is a stage with a ticket office. PrivateFans is an album that you hand to one person at a time. Neither is better for everyone, so here is the difference."
      />
      <TopicList topics={topics} />
      <p className="mx-auto max-w-290 px-5">
        <Link
          to="/comparison"
          className="inline-flex min-h-11 items-center gap-2 font-strong text-plum underline-offset-4 hover:underline"
        >
          With Fansly and Patreon, too
          <ArrowRight />
        </Link>
      </p>
      <SitePart title="Which one fits you">
        <div className="grid gap-x-12 gap-y-8 md:grid-cols-2">
          {fits.map(({ title, points }) => (
            <section key={title} className="border-t border-line pt-5">
              <h3 className="text-21">{title}</h3>
              <ul className="mt-3 grid list-disc gap-2.5 pl-5 text-quiet marker:text-plum">
                {points.map((point) => (
                  <li key={point}>{point}</li>
                ))}
              </ul>
            </section>
          ))}
        </div>
      </SitePart>
      <Closing />
    </SiteFrame>
  );
}
