import type { Topic } from './comparison-words.ts';
import { checkedOn } from './comparison-words.ts';

/** One topic after another: what is true here, and what others say of themselves. */
export function TopicList({ topics }: { topics: readonly Topic[] }) {
  return (
    <div className="mx-auto grid max-w-290 gap-5 px-5 py-8">
      {topics.map(({ title, ours, others }) => (
        <section
          key={title}
          className="grid overflow-hidden rounded-card border border-line bg-raised md:grid-cols-[1fr_1.25fr]"
        >
          <div className="bg-plum-wash p-6 md:p-8">
            <h2 className="text-28">{title}</h2>
            <p className="mt-4 font-strong">
              Private<span className="text-plum">Fans</span>
            </p>
            <p className="mt-1">{ours}</p>
          </div>
          <dl className="grid content-start gap-6 p-6 md:p-8">
            {others.map(({ platform, text, source }) => (
              <div key={platform}>
                <dt className="font-strong">{platform}</dt>
                <dd className="mt-1">{text}</dd>
                <dd className="mt-1.5 text-13 text-quiet">
                  <a href={source.href} rel="noreferrer" className="underline underline-offset-3 hover:text-ink">
                    {source.name}
                  </a>
                  <span>{`${source.isThirdParty ? ' (not the platform’s own word)' : ''}, read on ${checkedOn}`}</span>
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </div>
  );
}
