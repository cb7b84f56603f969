/** Plain words and years; a slug, a token, a code, an id or an address has other digits, capitals, signs or more letters. */
const word = /^([a-z]{1,12}|(19|20)\d\d)$/;
const words = /^[a-z]{1,12}(-[a-z]{1,12}){0,4}$/;

/** The path of a page for a log: what could be a secret or a name stands there as `*`. */
export function redactPath(pathname: string): string {
  const [first = '', ...rest] = pathname.split('/').slice(1, 6);
  const text =
    first === 'view' ? rest.map(() => '*') : rest.map((step) => (step === '' || word.test(step) ? step : '*'));
  return `/${[first === '' || words.test(first) ? first : '*', ...text].join('/')}`;
}
