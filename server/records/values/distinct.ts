/** The first element with each key, in the order of the elements. */
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
