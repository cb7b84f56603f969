import { Download } from 'lucide-react';
import { useState } from 'react';
import { drawButton } from '#ui/buttons/button.tsx';
import { useNow } from '#ui/clock.ts';
import { Select } from '#ui/forms/select.tsx';
import { Card } from '#ui/layout/card.tsx';
import { listPeriods } from '../earnings/earning-texts.ts';

/** The books of a month or year to keep or hand on, as pages and for a program of their own. */
export function Statements({ begunAt }: { begunAt: Date }) {
  const periods = listPeriods(begunAt, useNow());
  const [chosen, setChosen] = useState<string>();
  const period = chosen ?? periods[0]?.value ?? '';
  return (
    <Card className="grid gap-4 md:grid-cols-[minmax(0,1fr)_auto] md:items-end">
      <div>
        <h2 className="text-21">Statements</h2>
        <p className="mt-1 max-w-140 text-quiet">
          Every payment, fee, refund and payout, with the balance after it. A whole year is shown month by month.
        </p>
      </div>
      <div className="grid grid-cols-2 gap-3 md:grid-cols-[12rem_auto_auto]">
        <Select
          label="Period"
          className="col-span-2 md:col-span-1 [&>:first-child]:sr-only"
          options={periods}
          value={period}
          onChange={setChosen}
        />
        {(['pdf', 'csv'] as const).map((kind) => (
          <a
            key={kind}
            href={`/api/money/statement.${kind}?period=${period}`}
            download
            className={drawButton({ variant: 'outline' })}
          >
            <Download />
            <span>{kind.toUpperCase()}</span>
          </a>
        ))}
      </div>
    </Card>
  );
}
