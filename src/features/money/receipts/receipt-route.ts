import type { FastifyInstance } from 'fastify';
import { slowNetwork } from '#features/accounts/limits.ts';
import { moneyNow } from '#features/books/money-clock.ts';
import { type Mounting, sayRefusal } from '#wire/raw.ts';
import { findReceipt } from './finding-receipts.ts';
import { writeReceiptPdf } from './receipt-pdf.ts';

/** Receipts that one network draws in an hour before each further one waits. */
const freeReceipts = 60;

/** GET /api/money/receipts/:code/receipt.pdf: the receipt's page on paper, for whoever has its address. */
export function mountReceipts(app: FastifyInstance, { engines, contextOf }: Mounting): void {
  const config = { who: ['visitor', 'viewer', 'creator', 'admin'] as const, subject: 'none' as const };
  app.get<{ Params: { code: string } }>('/api/money/receipts/:code/receipt.pdf', { config }, async (request, reply) => {
    const context = contextOf(request, reply);
    await slowNetwork(context, 'receipt_pdf', freeReceipts);
    const receipt = await findReceipt(context, request.params.code);
    if (receipt === undefined) return sayRefusal(reply, 'NOT_FOUND');
    reply.headers({
      'cache-control': 'no-store',
      'content-disposition': `attachment; filename="receipt-${receipt.number}.pdf"`,
      'x-robots-tag': 'noindex',
    });
    return reply.type('application/pdf').send(await writeReceiptPdf(receipt, moneyNow(engines)));
  });
}
