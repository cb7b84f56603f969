import { Button } from '#ui/button.tsx';

/** Asks a visitor before her visits are measured by somebody else; the pages' script shows it and keeps the answer. */
export function ConsentQuestion() {
  return (
    <section
      hidden
      data-consent=""
      aria-label="Measuring visits"
      className="fixed inset-x-3 bottom-[calc(5.5rem+env(safe-area-inset-bottom))] z-30 mx-auto max-w-140 rounded-card border border-line bg-raised p-5 shadow-soft md:bottom-5"
    >
      <p>
        May we count this visit with Google Analytics? It helps us see which pages are useful. Nothing is loaded from
        Google unless you agree, and viewers of private links are never measured.
      </p>
      <div className="mt-4 flex flex-wrap gap-2">
        <Button data-answer="yes">Yes, count it</Button>
        <Button data-answer="no" variant="outline">
          No, thanks
        </Button>
      </div>
    </section>
  );
}
