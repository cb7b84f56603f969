import { describeTerms } from '#features/settings/plan-words.ts';
import { ButtonLink } from '#ui/buttons/button-link.tsx';
import { useFacts } from '../facts-context.tsx';

/** How a page of words ends: with the door. */
export function Closing({ title = 'Yours to show. Yours to take back.' }: { title?: string }) {
  const { plan } = useFacts();
  return (
    <section className="mx-auto max-w-290 px-5 pt-6 pb-16 md:pb-24">
      <div className="grid gap-x-10 gap-y-6 rounded-sheet bg-plum-wash p-7 md:grid-cols-[1fr_auto] md:items-center md:p-12">
        <div>
          <h2 className="text-28 md:text-38">{title}</h2>
          <p className="mt-3 text-quiet">{describeTerms(plan)}</p>
        </div>
        <p className="flex flex-wrap gap-3">
          <ButtonLink to="/auth?action=signup" size="large">
            Start Free Trial
          </ButtonLink>
          <ButtonLink to="/pricing" variant="outline" size="large">
            View All Features
          </ButtonLink>
        </p>
      </div>
    </section>
  );
}
