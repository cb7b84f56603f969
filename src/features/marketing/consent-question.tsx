import { Button } from '#ui/buttons/button.tsx';
import { describeQuestion, type Measured } from './legal/consent-words.ts';

/** Asks a visitor before their visits are measured; the pages' script shows it and keeps the answer. */
export function ConsentQuestion(measured: Measured) {
  return (
    <section
      hidden
      data-consent={measured.byGoogle ? 'all' : 'wide'}
      aria-label="Measuring visits"
      className="fixed inset-x-3 bottom-[calc(5.5rem+env(safe-area-inset-bottom))] z-30 mx-auto max-w-140 rounded-card border border-line bg-raised p-5 shadow-soft md:bottom-5"
    >
      <p>{describeQuestion(measured)}</p>
      <div className="mt-4 flex flex-wrap gap-2">
        <Button data-answer="yes">Yes, count it</Button>
        <Button data-answer="no" variant="outline">
          No, thanks
        </Button>
      </div>
    </section>
  );
}
