import { Brand } from '#ui/brand.tsx';
import { Choices } from '#ui/gallery/choices.tsx';
import { Controls } from '#ui/gallery/controls.tsx';
import { Feedback } from '#ui/gallery/feedback.tsx';
import { Openers } from '#ui/gallery/openers.tsx';
import { Pictures } from '#ui/gallery/pictures.tsx';
import { Structure } from '#ui/gallery/structure.tsx';
import { Tokens } from '#ui/gallery/tokens.tsx';

/** Every shared component in every state, on paper and in the dark side by side. */
export function Gallery() {
  return (
    <main className="grid xl:grid-cols-2">
      <h1 className="sr-only">Components</h1>
      <Side theme="light" />
      <Side theme="dark" />
    </main>
  );
}

function Side({ theme }: { theme: 'light' | 'dark' }) {
  return (
    <section aria-label={theme} className={`${theme} min-w-0 bg-paper text-ink`}>
      <div className="mx-auto grid max-w-180 gap-12 px-5 py-10">
        <header className="flex items-baseline justify-between">
          <Brand />
          <span className="text-13 text-quiet">{theme}</span>
        </header>
        <Tokens />
        <Controls />
        <Choices />
        <Openers />
        <Structure theme={theme} />
        <Pictures />
        <Feedback />
      </div>
    </section>
  );
}
