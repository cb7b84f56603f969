const bearer = /^Bearer ([\x21-\x7e]{1,400})$/;

/** The token that a call says aloud: no page of another site can make a browser do so. */
export const bearerOf = (headers: Readonly<Record<string, unknown>>): string | undefined =>
  bearer.exec(String(headers.authorization ?? ''))?.[1];
