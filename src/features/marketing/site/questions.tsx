import { ChevronDown } from 'lucide-react';
import { listQuestions } from '#features/assistant/questions.ts';
import { featuresOf } from '#features/assistant/rules.ts';
import type { PageLimits } from '#features/settings/page-limits.ts';
import type { Plan } from '#features/settings/plan-words.ts';
import { SitePart } from './site-part.tsx';

/** What people ask before they begin; the answers are one text for every place that has them. */
export function Questions({
  plan,
  limits,
  sellsPlans,
}: {
  plan: Plan;
  limits: Pick<PageLimits, 'leaseSeconds'>;
  sellsPlans: boolean;
}) {
  return (
    <SitePart title="Questions">
      <div className="max-w-190 border-t border-line">
        {listQuestions({ ...plan, ...limits, features: featuresOf(sellsPlans) }).map(({ question, answer }) => (
          <details key={question} className="group border-b border-line">
            <summary className="flex min-h-15 cursor-pointer list-none items-center justify-between gap-4 py-3 text-17 font-strong [&::-webkit-details-marker]:hidden">
              <span>{question}</span>
              <ChevronDown className="flex-none text-quiet transition group-open:rotate-180" />
            </summary>
            <p className="pb-5 text-quiet">{answer}</p>
          </details>
        ))}
      </div>
    </SitePart>
  );
}
