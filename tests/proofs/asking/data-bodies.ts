/** Well-formed bodies of what people call about their own data, with codes that nobody was mailed. */
export const dataBodies: Record<string, () => object> = {
  'privacy.showMine': () => ({}),
  'privacy.mailDataCode': () => ({ act: 'export' }),
  'privacy.exportMine': () => ({ code: '000000' }),
  'privacy.eraseMine': () => ({ code: '000000' }),
  'privacy.keepMine': () => ({ code: '000000' }),
  'privacy.showDeletion': () => ({}),
  'privacy.showExport': () => ({}),
  'privacy.requestExport': () => ({ hasOriginals: false }),
  'privacy.openExport': () => ({ password: 'not the password' }),
  'privacy.deleteAccount': () => ({ password: 'not the password', confirmation: 'DELETE' }),
};
