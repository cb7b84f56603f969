interface Words {
  type?: 'invalid_request_error' | 'card_error' | 'idempotency_error' | 'api_error';
  code?: string;
  declineCode?: string;
  param?: string;
  message: string;
  /** Of a payment that was not taken. */
  more?: Record<string, unknown>;
}

/** An answer that is no: what Stripe sends instead of an object. */
export class Refusal extends Error {
  readonly status: number;
  readonly body: { error: Record<string, unknown> };
  /** Refused before anything was done: the key of the call stays free. */
  readonly isUnstarted: boolean;
  constructor(
    status: number,
    { type = 'invalid_request_error', code, declineCode, param, message, more }: Words,
    isUnstarted = false,
  ) {
    super(message);
    this.status = status;
    this.isUnstarted = isUnstarted;
    this.body = {
      error: {
        type,
        message,
        ...(code !== undefined && { code }),
        ...(declineCode !== undefined && { decline_code: declineCode }),
        ...(param !== undefined && { param }),
        ...more,
      },
    };
  }
}

export const missing = (kind: string, id: string, param = 'id'): Refusal =>
  new Refusal(404, { code: 'resource_missing', param, message: `No such ${kind}: '${id}'` });

export const badParam = (param: string, message: string): Refusal =>
  new Refusal(400, { code: 'parameter_invalid', param, message }, true);

export const absentParam = (param: string): Refusal =>
  new Refusal(400, { code: 'parameter_missing', param, message: `Missing required param: ${param}.` }, true);

export const refused = (message: string, code?: string): Refusal =>
  new Refusal(400, { message, ...(code !== undefined && { code }) });
