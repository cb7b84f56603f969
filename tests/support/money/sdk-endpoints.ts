import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ts } from '@ts-morph/common';

/** Where the SDK's own program and types lie. */
export const sdkFolder = path.resolve(import.meta.dirname, '../../../node_modules/stripe');
export const esmFolder = path.join(sdkFolder, 'esm');

/** Which method of the SDK asks an endpoint: its types say what may be sent and what is answered. */
export interface SdkMethod {
  file: string;
  className: string;
  method: string;
}

function listFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const whole = path.join(folder, entry.name);
    return entry.isDirectory() ? listFiles(whole) : [whole];
  });
}

export const resourceFiles = (): string[] => listFiles(path.join(esmFolder, 'resources'));

/** "`/v1/x/${encodeURIComponent(id)}/y`" as "/v1/x/:id/y"; undefined for what is no address. */
function addressOf(node: ts.Node | undefined): string | undefined {
  if (node === undefined) return undefined;
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return undefined;
  return node.head.text + node.templateSpans.map(({ literal }) => `:id${literal.text}`).join('');
}

/** The request that a method makes, "POST /v1/x". */
function requestOf(method: ts.Node): string | undefined {
  let found: string | undefined;
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
      const [verb, address] = node.arguments;
      const where = addressOf(address);
      if (node.expression.name.text.startsWith('_makeRequest') && verb && ts.isStringLiteral(verb) && where)
        found ??= `${verb.text} ${where}`;
    }
    node.forEachChild(visit);
  };
  visit(method);
  return found;
}

/** Returns what each method of a class asks for. */
function* requestsOf(node: ts.Node): Generator<{ request: string; className: string; method: string }> {
  if (!ts.isClassDeclaration(node) || node.name === undefined) return;
  for (const member of node.members) {
    const request = ts.isMethodDeclaration(member) ? requestOf(member) : undefined;
    if (request !== undefined) yield { request, className: node.name.text, method: member.name?.getText() ?? '' };
  }
}

/** Every endpoint of the SDK, read from its own program. */
export function readEndpoints(): Map<string, SdkMethod> {
  const found = new Map<string, SdkMethod>();
  for (const file of resourceFiles().filter((name) => name.endsWith('.js'))) {
    const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.ES2022, true);
    const declared = file.replace(/\.js$/, '.d.ts');
    source.forEachChild((node) => {
      for (const { request, className, method } of requestsOf(node))
        if (!found.has(request)) found.set(request, { file: declared, className, method });
    });
  }
  return found;
}
