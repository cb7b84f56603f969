import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { Exchange } from '#engines/payments/sandbox/server.ts';
import type { Schema } from './sdk-converter.ts';
import { readSdkSchemas, type SdkSchemas } from './sdk-schemas.ts';

/** What the product and the sandbox say to each other, as far as the sandbox goes. */
const wanted = [
  'POST /v1/checkout/sessions',
  'GET /v1/checkout/sessions',
  'GET /v1/checkout/sessions/:id',
  'POST /v1/checkout/sessions/:id/expire',
  'GET /v1/payment_intents/:id',
  'GET /v1/charges',
  'POST /v1/charges',
  'GET /v1/charges/:id',
  'POST /v1/refunds',
  'GET /v1/refunds',
  'GET /v1/transfers',
  'GET /v1/transfers/:id/reversals',
  'GET /v1/refunds/:id',
  'POST /v1/transfers',
  'GET /v1/transfers/:id',
  'POST /v1/transfers',
  'POST /v1/transfers/:id/reversals',
  'GET /v1/disputes',
  'GET /v1/disputes/:id',
  'POST /v1/disputes/:id',
  'GET /v1/radar/early_fraud_warnings',
  'GET /v1/radar/early_fraud_warnings/:id',
  'GET /v1/application_fees/:id',
  'GET /v1/balance',
  'GET /v1/balance_transactions',
  'POST /v2/core/accounts',
  'GET /v2/core/accounts/:id',
  'POST /v2/core/account_links',
  'POST /v1/accounts/:id/login_links',
  'GET /v1/payment_method_configurations',
  'POST /v1/payment_method_configurations',
  'GET /v1/prices',
  'POST /v1/prices',
  'GET /v1/customers/:id',
  'GET /v1/subscriptions',
  'GET /v1/subscriptions/:id',
  'POST /v1/subscriptions/:id',
  'DELETE /v1/subscriptions/:id',
  'GET /v1/invoices',
  'GET /v1/invoices/:id',
  'POST /v1/invoices/:id/pay',
  'GET /v1/invoice_payments',
  'POST /v1/billing_portal/sessions',
  'GET /v1/payouts',
  'POST /v1/payouts',
  'GET /v1/payouts/:id',
  'GET /v1/balance_settings',
  'POST /v1/balance_settings',
];

export interface ExchangeCheck {
  /** Looks at one question and its answer. */
  receive(exchange: Exchange): void;
  /** What was not as the SDK's types say; empty when all was. */
  faults: string[];
  /** Endpoints that were asked. */
  asked: Set<string>;
}

/** One for all files of a process: the shapes are large, and each is compiled when it is first met. */
let shapes: ReturnType<typeof openShapes> | undefined;
function openShapes() {
  const schemas = readSdkSchemas(wanted);
  return { schemas, validatorOf: openValidators(schemas) };
}

/** Checks every question and answer against the shapes that the provider's own library has for them. */
export function openExchangeCheck(): ExchangeCheck {
  shapes ??= openShapes();
  const { schemas, validatorOf } = shapes;
  const faults: string[] = [];
  const asked = new Set<string>();
  const look = (what: string, validate: ValidateFunction, value: unknown) => {
    if (validate(value)) return;
    const said = (validate.errors ?? []).map(
      ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
    );
    faults.push(`${what}: ${said.slice(0, 3).join(' | ')}`);
  };
  return {
    faults,
    asked,
    receive({ endpoint, params, status, body }) {
      asked.add(endpoint);
      // An event may be about anything, and the shape of anything is large; of an event nobody reads more than what it is about.
      if (endpoint === 'GET /v1/events') return;
      const shape = schemas.endpoints[endpoint];
      if (shape === undefined) {
        faults.push(`${endpoint}: no shape is known`);
        return;
      }
      if (shape.params !== null)
        look(
          `asked ${endpoint}`,
          validatorOf(`${endpoint} params`, shape.params),
          coerce(schemas, shape.params, params),
        );
      if (status === 200) look(`answered ${endpoint}`, validatorOf(`${endpoint} response`, shape.response), body);
    },
  };
}

function openValidators({ $defs }: SdkSchemas) {
  // Each definition becomes one function that is not polished: they are hundreds, and most are asked a few times.
  const ajv = new Ajv2020({ strict: false, allErrors: true, inlineRefs: false, code: { optimize: false } });
  ajv.addSchema({ $id: 'sdk', $defs });
  const known = new Map<string, ValidateFunction>();
  return (name: string, schema: Schema): ValidateFunction => {
    const found = known.get(name);
    if (found !== undefined) return found;
    const made = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('#/$defs/', 'sdk#/$defs/')));
    known.set(name, made);
    return made;
  };
}

type Object_ = Record<string, unknown>;

/** The ways in which a schema may be met. */
function waysOf(schemas: SdkSchemas, schema: Schema): Schema[] {
  const { $ref, anyOf } = schema as { $ref?: string; anyOf?: Schema[] };
  if ($ref !== undefined) return waysOf(schemas, schemas.$defs[$ref.slice('#/$defs/'.length)] ?? {});
  return anyOf === undefined ? [schema] : anyOf.flatMap((way) => waysOf(schemas, way));
}

/** A form sends words only: where a number or a flag is wanted, that is what the word is read as. */
function coerce(schemas: SdkSchemas, schema: Schema, value: unknown): unknown {
  const ways = waysOf(schemas, schema);
  if (typeof value === 'string') return coerceWord(ways, value);
  if (Array.isArray(value)) {
    const items = ways.find(({ type }) => type === 'array')?.items as Schema | undefined;
    return items === undefined ? value : value.map((one) => coerce(schemas, items, one));
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, coerceField(schemas, ways, name, inner)]),
  );
}

function coerceField(schemas: SdkSchemas, ways: readonly Schema[], name: string, value: unknown): unknown {
  for (const { properties, additionalProperties } of ways as {
    properties?: Object_;
    additionalProperties?: unknown;
  }[]) {
    const field = properties?.[name] ?? additionalProperties;
    if (typeof field === 'object' && field !== null) return coerce(schemas, field as Schema, value);
  }
  return value;
}

function coerceWord(ways: readonly Schema[], word: string): unknown {
  const isWord = ways.some(
    (way) => way.type === 'string' || way.const === word || (way.enum as unknown[])?.includes(word),
  );
  if (isWord) return word;
  if (ways.some(({ type }) => type === 'number') && /^-?\d+$/.test(word)) return Number(word);
  const isFlag = ways.some((way) => way.type === 'boolean' || typeof way.const === 'boolean');
  return isFlag && /^(true|false)$/.test(word) ? word === 'true' : word;
}
