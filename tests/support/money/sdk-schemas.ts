import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { getLibFiles, ts } from '@ts-morph/common';
import { openConverter, type Schema } from './sdk-converter.ts';
import { esmFolder, readEndpoints, resourceFiles, type SdkMethod, sdkFolder } from './sdk-endpoints.ts';

/** What may be sent to each endpoint and what it answers, as JSON Schemas with their common definitions. */
export interface SdkSchemas {
  endpoints: Record<string, { params: Schema | null; response: Schema }>;
  $defs: Record<string, Schema>;
}

const compilerOptions: ts.CompilerOptions = {
  strict: true,
  skipLibCheck: true,
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  noEmit: true,
  types: [],
};

/** The language's own types come inside of the compiler's package, not as files. */
function hostWithLibraries(): ts.CompilerHost {
  const folder = '/libraries';
  const libraries = new Map(getLibFiles().map(({ fileName, text }) => [`${folder}/${fileName}`, text]));
  const host = ts.createCompilerHost(compilerOptions);
  return {
    ...host,
    getDefaultLibLocation: () => folder,
    getDefaultLibFileName: (options) => `${folder}/${ts.getDefaultLibFileName(options)}`,
    fileExists: (file) => libraries.has(file) || host.fileExists(file),
    readFile: (file) => libraries.get(file) ?? host.readFile(file),
    getSourceFile: (file, version, ...more) => {
      const text = libraries.get(file);
      return text === undefined ? host.getSourceFile(file, version, ...more) : ts.createSourceFile(file, text, version);
    },
  };
}

const v1List = (item: Schema): Schema => ({
  type: 'object',
  properties: {
    object: { const: 'list' },
    data: { type: 'array', items: item },
    has_more: { type: 'boolean' },
    url: { type: 'string' },
  },
  required: ['object', 'data', 'has_more', 'url'],
  additionalProperties: false,
});

function signatureOf(program: ts.Program, { file, className, method }: SdkMethod): ts.Signature {
  let found: ts.Signature | undefined;
  program.getSourceFile(file)?.forEachChild((node) => {
    if (!ts.isClassDeclaration(node) || node.name?.text !== className) return;
    const member = node.members.find((one) => one.name?.getText() === method);
    if (member !== undefined && ts.isMethodDeclaration(member))
      found = program.getTypeChecker().getSignatureFromDeclaration(member);
  });
  if (found === undefined) throw new Error(`the SDK has no ${className}.${method}`);
  return found;
}

function schemasOf(program: ts.Program, wanted: readonly string[]): SdkSchemas {
  const checker = program.getTypeChecker();
  const converter = openConverter(checker);
  const known = readEndpoints();
  const endpoints: SdkSchemas['endpoints'] = {};
  for (const request of wanted) {
    const method = known.get(request);
    if (method === undefined) throw new Error(`the SDK does not know ${request}`);
    const signature = signatureOf(program, method);
    const params = signature.parameters.find(({ name }) => name === 'params');
    const answer = checker.getReturnTypeOfSignature(signature);
    const isList = /ListPromise/.test(answer.aliasSymbol?.name ?? answer.symbol?.name ?? '');
    const [promised] = answer.aliasTypeArguments ?? checker.getTypeArguments(answer as ts.TypeReference);
    const inner = isList ? promised : (promised?.aliasTypeArguments?.[0] ?? promised);
    if (inner === undefined) throw new Error(`${request} answers nothing`);
    const item = converter.convert(inner);
    endpoints[request] = {
      params: params ? converter.convert(checker.getNonNullableType(checker.getTypeOfSymbol(params))) : null,
      response: isList ? v1List(item) : item,
    };
  }
  return { endpoints, $defs: converter.definitions };
}

/**
 * The shapes of these endpoints, out of the types of the installed SDK, which Stripe generates from its own description of
 * the API. Kept by version of the SDK and of this generator, never committed.
 */
export function readSdkSchemas(wanted: readonly string[]): SdkSchemas {
  const version = readFileSync(path.join(sdkFolder, 'VERSION'), 'utf8').trim();
  const folder = path.resolve(sdkFolder, '../.cache/stripe-schemas');
  const file = path.join(folder, `${version}-${wanted.length}-${hash(wanted.join())}.json`);
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    const program = ts.createProgram(
      [...resourceFiles().filter((name) => name.endsWith('.d.ts')), path.join(esmFolder, 'stripe.esm.node.d.ts')],
      compilerOptions,
      hostWithLibraries(),
    );
    const schemas = schemasOf(program, wanted);
    mkdirSync(folder, { recursive: true });
    writeFileSync(file, JSON.stringify(schemas));
    return schemas;
  }
}

function hash(text: string): string {
  let sum = 0;
  for (const letter of `${text}${readFileSync(path.join(import.meta.dirname, 'sdk-converter.ts'), 'utf8')}`)
    sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) | 0;
  return (sum >>> 0).toString(36);
}
