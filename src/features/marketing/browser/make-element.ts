/** Makes an element: its properties, then what stands in it. */
export function makeElement<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  facts: Partial<Omit<HTMLElementTagNameMap[Tag], 'style'>>,
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const element = Object.assign(document.createElement(tag), facts);
  element.append(...children);
  return element;
}
