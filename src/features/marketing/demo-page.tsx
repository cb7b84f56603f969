import { DemoStory } from './demo-story.tsx';
import { metaOf } from './site-pages.ts';

export const meta = () => metaOf('/demo');

/** The story of a leak that did not happen. Without a script its first scene stands, and the way on. */
export default function DemoPage() {
  return (
    <div data-demo="">
      <DemoStory />
    </div>
  );
}
