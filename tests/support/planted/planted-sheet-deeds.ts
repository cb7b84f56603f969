/** What a clip child does that a hostile clip took over, when it is to lay pictures side by side. */
export const plantedDeeds = [
  'answers what it likes',
  'answers another question',
  'leaves no file',
  'leaves garbage',
  'leaves another size',
  'leaves a giant',
  'hangs',
  'dies',
  'reports an error',
] as const;
