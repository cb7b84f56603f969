import '#app/pages/no-text-as-code.tsx';
import { startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { DemoStory, type StoryFacts } from '#features/marketing/demo-story.tsx';

/** Tells the story where its first scene stands, which brings what it says by the settings in force. */
export function playDemo(place: HTMLElement): void {
  const facts: StoryFacts = JSON.parse(place.dataset.demo ?? '');
  // In slices: the first scene can be read and skipped while the story is drawn.
  startTransition(() => createRoot(place).render(<DemoStory {...facts} />));
}
