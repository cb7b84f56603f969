import { FileDown } from 'lucide-react';
import { formatCount } from '#kit/text.ts';
import { Button } from '#ui/buttons/button.tsx';
import { toast } from '#ui/feedback/toast.ts';
import { Card } from '#ui/layout/card.tsx';
import { SectionHeader } from '#ui/layout/section-header.tsx';
import { useWrite } from '#wire/use-write.tsx';
import type { TraceDetail } from '../contract.ts';
import { describeChance, limitWords, weakestPower } from '../verdict-texts.ts';
import { saveEvidence } from './save-evidence.tsx';

/** How sure it is, in a sentence; what was computed for whoever has to judge it; and the files. */
export function Evidence({ trace }: { trace: TraceDetail }) {
  const { id, outcome, numbers, links, ownLook } = trace;
  const power = weakestPower(ownLook === null ? links : [...links, ownLook]);
  const compared = formatCount(numbers?.issued ?? 0, 'link or view', 'links and views');
  const save = useWrite<void, Error, 'pdf' | 'json'>({
    mutationFn: (kind) => saveEvidence(id, kind),
    onError: ({ message }) => toast.error({ title: "Couldn't save the file", message }),
  });
  return (
    <section className="grid gap-3">
      <SectionHeader title="Evidence" />
      <Card className="grid gap-4">
        <p className="max-w-160">
          {`The invisible mark in this copy was compared with ${compared} of yours. The chance that it names the wrong one is less than ${describeChance(power)}.`}
        </p>
        <div className="flex flex-wrap gap-2">
          {(['pdf', 'json'] as const).map((kind) => (
            <Button
              key={kind}
              variant="outline"
              icon={FileDown}
              busy={save.isPending && save.variables === kind}
              onClick={() => save.mutate(kind)}
            >
              {`Evidence (${kind.toUpperCase()})`}
            </Button>
          ))}
        </div>
        <div className="-mb-2 border-t border-line pt-1 text-13 text-quiet">
          <Details trace={trace} isTraced={outcome === 'traced'} />
          <details>
            <summary className="min-h-11 cursor-pointer content-center font-strong text-ink">
              What this cannot tell you
            </summary>
            <ul className="grid list-disc gap-1.5 pb-3 pl-5">
              {limitWords.map((words) => (
                <li key={words}>{words}</li>
              ))}
            </ul>
          </details>
        </div>
      </Card>
    </section>
  );
}

/** The figures behind the sentence, which nobody needs to act on it. */
function Details({
  trace: { numbers, earlierTraces, together, sha256 },
  isTraced,
}: {
  trace: TraceDetail;
  isTraced: boolean;
}) {
  const facts: [string, string][] = [
    ['Comparisons made', (numbers?.hypotheses ?? 0).toLocaleString('en')],
    ['Earlier traces included', earlierTraces.toLocaleString('en')],
    ...(together > 0 ? [['Copies weighed together', (together + 1).toLocaleString('en')] as [string, string]] : []),
    ['SHA-256 of the copy', sha256],
  ];
  return (
    <details>
      <summary className="min-h-11 cursor-pointer content-center font-strong text-ink">Details</summary>
      <dl className="grid gap-1.5">
        {facts.map(([name, value]) => (
          <div key={name} className="flex flex-wrap justify-between gap-x-3">
            <dt>{name}</dt>
            <dd className="font-medium text-ink tabular-nums wrap-anywhere">{value}</dd>
          </div>
        ))}
      </dl>
      <p className="py-3">
        {isTraced
          ? 'The PDF is for reading and sharing. The JSON file is for software that checks it: it contains the named codewords; creating it is logged permanently.'
          : 'The PDF is for reading and sharing. The JSON file is for software that checks it.'}
      </p>
    </details>
  );
}
