import * as z from 'zod';
import { type Books, MalformedCall } from './books.ts';

/** One call to the sandbox, its parameters not yet read. */
export interface Call {
  params: unknown;
  /** From the address. */
  id: string;
  /** Of whom it asks: the platform, or a connected account. */
  account: string;
  /** Where pages of the sandbox are. */
  pages: string;
}

/** A card was declined: an answer that says no, and what was written meanwhile stays. */
export class Declined {
  readonly error: { type: 'card_error'; code: 'card_declined'; message: string };
  constructor(message: string) {
    this.error = { type: 'card_error', code: 'card_declined', message };
  }
}

export type Answer = (books: Books, call: Call) => Promise<object>;
export type Endpoints = Readonly<Record<string, Answer>>;

export const flag = z.enum(['true', 'false']).transform((word) => word === 'true');
export const amount = z.coerce.number().int();
export const metadata = z.record(z.string(), z.string());
export const expandable = { expand: z.array(z.string()).optional() };
export const paged = {
  ...expandable,
  limit: z.coerce.number().int().min(1).max(100).default(10),
  starting_after: z.string().optional(),
};

/** @throws MalformedCall that names what is wrong, as the provider does */
export function read<T>(shape: z.ZodType<T>, { params }: Call): T {
  const result = shape.safeParse(params);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const where = issue?.path.join('.') ?? '';
  if (issue?.code === 'unrecognized_keys')
    throw new MalformedCall(
      400,
      'parameter_unknown',
      `Received unknown parameter: ${[...issue.path, ...issue.keys].join('.')}`,
    );
  throw new MalformedCall(400, 'parameter_invalid', `Invalid ${where}: ${issue?.message ?? ''}`);
}

export const Nothing = z.strictObject(expandable);

export const page = (data: readonly object[], limit: number, url: string) => ({
  object: 'list',
  data: data.slice(0, limit),
  has_more: data.length > limit,
  url,
});

export const show =
  (what: string): Answer =>
  async ({ find }, call) => {
    read(Nothing, call);
    return find(call.id, what);
  };
