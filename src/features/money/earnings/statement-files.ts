import { setImmediate as breathe } from 'node:timers/promises';
import type { Engines } from '#engines/engines.ts';
import { PdfLayout } from '#engines/pdf/pdf-layout.ts';
import { byteOrderMark, writeLine } from '#kit/csv.ts';
import { formatCount, formatMoney, writeAmount } from '#kit/text.ts';
import { nameBar } from './earning-texts.ts';
import { type MonthLine, readStatement, readYear } from './statement.ts';
import type { StatementParams } from './statement-store.ts';

type Needed = Pick<Engines, 'database'>;

const columns = ['Date', 'What', 'Link', 'Order', 'Amount', 'Balance', 'Currency'];
const yearColumns = [
  ...['Month', 'Paid', 'Platform fees', 'Refunds', 'Platform fees returned', 'Dispute fees', 'Payouts', 'Adjustments'],
  ...['Change', 'Balance', 'Currency'],
];
const sumsOf = ({
  paid,
  fees,
  refunds,
  feesReturned,
  disputeFees,
  payouts,
  other,
  changeCents,
  balanceCents,
}: MonthLine) => [...[paid, fees, refunds, feesReturned, disputeFees, payouts, other, changeCents, balanceCents]];

/** A month or year as a table, written while it is read. */
export async function* writeStatementTable(engines: Needed, params: StatementParams): AsyncGenerator<string> {
  const currency = params.currency.toUpperCase();
  const amount = (cents: number) => writeAmount(cents, currency);
  if (params.by === 'year') {
    const { months } = await readYear(engines, params);
    yield `${byteOrderMark}${writeLine(yearColumns)}`;
    yield months.map((month) => writeLine([month.month, ...sumsOf(month).map(amount), currency])).join('');
    return;
  }
  yield `${byteOrderMark}${writeLine(columns)}`;
  let isFirst = true;
  let balanceCents = 0;
  for await (const { openingCents, lines } of readStatement(engines, params)) {
    if (isFirst) yield writeLine(['', 'Balance before', '', '', '', amount(openingCents), currency]);
    isFirst = false;
    balanceCents = lines.at(-1)?.balanceCents ?? openingCents;
    yield lines
      .map(({ at, what, link, orderId, cents, balanceCents: after }) =>
        writeLine([at, what, link, orderId, amount(cents), amount(after), currency]),
      )
      .join('');
  }
  yield writeLine(['', 'Balance after', '', '', '', amount(balanceCents), currency]);
}

/** So many lines are read on paper by nobody; the table has them all. */
const mostLines = 1000;

/** A month or year on pages. */
export async function writeStatementPdf(
  engines: Needed,
  params: StatementParams,
  { creatorName, isSandbox, now }: { creatorName: string; isSandbox: boolean; now: Date },
): Promise<Buffer> {
  const period = params.by === 'year' ? params.first.slice(0, 4) : nameBar(params.first, '', 'month', 'en');
  const title = params.by === 'year' ? `Earnings in ${period}` : `Statement for ${period}`;
  const pdf = await PdfLayout.open(title, now.toISOString());
  pdf.write(title, 'title');
  pdf.write(creatorName, 'lead');
  if (isSandbox) pdf.write('Test payments: no real money.', 'warning');
  if (params.by === 'year') await writeYear(pdf, engines, params);
  else await writeMonth(pdf, engines, params);
  pdf.write(`Times are those of ${params.timeZone}. Amounts are in ${params.currency.toUpperCase()}.`, 'note');
  return pdf.close(`PrivateFans · ${title}`);
}

async function writeMonth(pdf: PdfLayout, engines: Needed, params: StatementParams): Promise<void> {
  const format = (cents: number) => formatMoney(cents, params.currency.toUpperCase());
  let writeRow: ReturnType<PdfLayout['openTable']> | undefined;
  let [balanceCents, left] = [0, mostLines];
  let count = 0;
  for await (const { openingCents, lines } of readStatement(engines, params)) {
    if (writeRow === undefined) {
      pdf.list([['Balance before', format(openingCents)]]);
      writeRow = pdf.openTable([
        ...[
          { title: 'Date', width: 78 },
          { title: 'What', width: 92 },
          { title: 'Link', width: 120 },
        ],
        ...[
          { title: 'Order', width: 73 },
          { title: 'Amount', width: 60 },
          { title: 'Balance', width: 60 },
        ],
      ]);
    }
    for (const { at, what, link, orderId, cents, balanceCents: after } of lines.slice(0, left))
      writeRow([at, what, link, orderId.slice(0, 13), format(cents), format(after)]);
    left = Math.max(0, left - lines.length);
    count += lines.length;
    balanceCents = lines.at(-1)?.balanceCents ?? openingCents;
    await breathe();
  }
  if (count > mostLines) pdf.write(`${formatCount(count - mostLines, 'more line')} in the CSV file.`, 'note');
  pdf.list([['Balance after', format(balanceCents)]]);
}

async function writeYear(pdf: PdfLayout, engines: Needed, params: StatementParams): Promise<void> {
  const format = (cents: number) => formatMoney(cents, params.currency.toUpperCase());
  const { openingCents, months } = await readYear(engines, params);
  pdf.list([['Balance before', format(openingCents)]]);
  const titles = [
    'Month',
    'Paid',
    'Fees',
    'Refunds',
    'Fees returned',
    'Dispute fees',
    'Payouts',
    'Other',
    'Change',
    'Balance',
  ];
  const writeRow = pdf.openTable(titles.map((title) => ({ title, width: 483 / titles.length })));
  for (const month of months) writeRow([nameBar(`${month.month}-01`, '', 'month', 'en'), ...sumsOf(month).map(format)]);
  pdf.list([['Balance after', format(months.at(-1)?.balanceCents ?? openingCents)]]);
}
