const onPath = (url: string, change: (path: string) => string) => {
  const [path = '', query] = url.split('?');
  return query === undefined ? change(path) : `${change(path)}?${query}`;
};
const percent = (letter: string) => `%${letter.charCodeAt(0).toString(16)}`;

/** Other ways of saying the same address: none of them may open what the plain one does not. */
const addresses: Record<string, (url: string) => string> = {
  'trailing slash': (url) => onPath(url, (path) => `${path}/`),
  'doubled slash': (url) => onPath(url, (path) => path.replace(/^(\/\w+)\//, '$1//')),
  'doubled slash at the end': (url) => onPath(url, (path) => `${path}//`),
  'encoded letter': (url) => onPath(url, (path) => path.replace(/\w(?=\w*$)/, percent)),
  'encoded first letter': (url) => url.replace(/^\/(\w)/, (_, letter: string) => `/${percent(letter)}`),
  'upper case': (url) => onPath(url, (path) => path.replace(/^\/[\w/]+?\/(?=[^/]*$)/, (text) => text.toUpperCase())),
  'up and down': (url) => onPath(url, (path) => path.replace(/^(\/\w+)\//, '$1/..%2f$1/')),
  'encoded slash': (url) => onPath(url, (path) => path.replace(/(?<=.)\/([^/]*)$/, '%2f$1')),
  'a semicolon': (url) => onPath(url, (path) => `${path};.css`),
  'a method in the query': (url) => `${url}${url.includes('?') ? '&' : '?'}_method=GET`,
  'a query twice': (url) => `${url}${url.includes('?') ? '&' : '?'}id=1&id=2`,
};
/** Headers by which some servers take a call for another one. */
const disguises: Record<string, Record<string, string>> = {
  'another method in a header': { 'x-http-method-override': 'GET', 'x-method-override': 'GET' },
  'another address in a header': { 'x-original-url': '/healthz', 'x-rewrite-url': '/healthz' },
  'a range': { range: 'bytes=0-0' },
};
export const spellingNames: readonly string[] = [...Object.keys(addresses), ...Object.keys(disguises)];
/** Routes that are asked by GET are also asked for their head. */
export const spellingsOfRoutes: readonly string[] = [...spellingNames, 'HEAD'];

/** What a spelling changes of a call. */
interface Spelt {
  method: string;
  path: string;
  headers: Record<string, string>;
}

/** The same call said in another way. */
export function spell<Call extends Spelt>(call: Call, spelling: string | undefined): Call {
  if (spelling === undefined) return call;
  if (spelling === 'HEAD') return call.method === 'GET' ? { ...call, method: 'HEAD' } : call;
  const path = addresses[spelling]?.(call.path) ?? call.path;
  return { ...call, path, headers: { ...call.headers, ...disguises[spelling] } };
}
