/** The first of all elements with the same key, in their order. */
export function distinctBy<Element>(
  elements: readonly Element[],
  keyOf: (element: Element) => string,
): Element[] {
  const byKey = new Map<string, Element>()
  for (const element of elements) {
    const key = keyOf(element)
    if (!byKey.has(key)) byKey.set(key, element)
  }
  return [...byKey.values()]
}
