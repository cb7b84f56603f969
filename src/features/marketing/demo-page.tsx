import { describeTerms } from '#features/settings/plan-words.ts';
import { DemoStory, type StoryFacts } from './demo-story.tsx';
import { useFacts } from './facts-context.tsx';
import { metaOf } from './site-pages.ts';

export const meta = () => metaOf('/demo');

/** The story of a leak that did not happen. Without a script its first scene stands, and the way on; with one it is told from there. */
export default function DemoPage() {
  const { claims, plan } = useFacts();
  const facts: StoryFacts = {
    claims: claims.filter(({ place }) => place === 'demo'),
    keptPercent: 100 - plan.commissionPercent,
    terms: describeTerms(plan),
  };
  return (
    <div data-demo={JSON.stringify(facts)}>
      <DemoStory {...facts} />
    </div>
  );
}
