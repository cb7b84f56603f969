/**
 * One step of a path in letters that stand for themselves (RFC 3986 §3.3), other ones escaped: not `.` or `..`, and nothing
 * escaped that needs no escape or divides a path.
 */
const step = /(?!\.{1,2}(?:\/|$))(?:[\w.~!$&'()*+,;=:@-]|%(?!2[d-f]|3\d|[46][1-9a-f]|[57][\da]|5[cf]|7e)[\da-f]{2})+/;
const plain = new RegExp(`^(?:/${step.source})+$`, 'i');

/** Where addresses have one spelling: pages are found in any that a browser or a messenger makes of them. */
const ofApi = /^\/(api|rpc|m|files)(\/|$)/;

/**
 * Whether a call has come to a route of the API by an address that somebody else reads in another way than the router: a
 * library that reads it again, or whoever judges a call by how it begins. What stands for a parameter is read by the router
 * alone, so it may be escaped as one likes; where a library reads the rest (`*`), all of it is written plainly.
 */
export function isCrooked(route: string | undefined, url: string): boolean {
  if (route === undefined || !ofApi.test(route)) return false;
  const path = url.split('?', 1)[0] ?? '';
  if (route.endsWith('*')) return !plain.test(path);
  const [words, steps] = [route.split('/'), path.split('/')];
  return path.includes('#') || words.length !== steps.length || words.some((word, n) => isOther(word, steps[n]));
}

const isOther = (word: string, said: string | undefined) => !word.startsWith(':') && word !== said;
