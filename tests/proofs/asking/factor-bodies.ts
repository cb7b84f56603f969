const nothing = () => ({});

/** Bodies about the second factor and the address that somebody signs in with, around no ids. */
export const factorBodies: Record<string, () => object> = {
  'secondFactor.show': nothing,
  'secondFactor.begin': () => ({ password: 'not the password' }),
  'secondFactor.turnOn': () => ({ code: '123456' }),
  'secondFactor.renewBackupCodes': () => ({ password: 'not the password', code: '123456' }),
  'secondFactor.remove': () => ({ password: 'not the password', code: '123456' }),
  'secondFactor.enter': () => ({ code: '123456' }),
  'secondFactor.signIn': () => ({ challenge: 'A'.repeat(60), code: '123456' }),
  'emailChange.show': nothing,
  'emailChange.begin': () => ({ email: `new-${crypto.randomUUID()}@example.com`, password: 'not the password' }),
  'emailChange.resend': nothing,
  'emailChange.confirm': () => ({ code: '123456' }),
  'emailChange.confirmByLink': () => ({ token: 'A'.repeat(43) }),
  'emailChange.undo': () => ({ token: 'A'.repeat(43) }),
};
