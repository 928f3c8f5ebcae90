// Places in lists whose elements are deleted one by one. A place is counted as if all deleted elements were still in
// the list, so that the elements return in their original order, whichever is restored first. Pure.

export interface DeletedElement {
  target: string
  /** From 1, in the list with all its deleted elements. */
  place: number
}

const inOrder = (a: DeletedElement, b: DeletedElement): number =>
  a.place - b.place || (a.target < b.target ? -1 : 1)

/** The list with its deleted elements at their places. */
function whole<Element, Deleted extends DeletedElement>(
  list: readonly Element[],
  allDeleted: readonly Deleted[],
): ({ element: Element } | { deleted: Deleted })[] {
  const all: ({ element: Element } | { deleted: Deleted })[] = list.map((element) => ({ element }))
  for (const deleted of allDeleted.toSorted(inOrder))
    all.splice(Math.min(deleted.place - 1, all.length), 0, { deleted })
  return all
}

/** The place of each element of a list, from 1. write/keep-store.ts computes the same in SQL. */
export function placesIn(list: readonly unknown[], allDeleted: readonly DeletedElement[]): number[] {
  return whole(list, allDeleted).flatMap((one, index) => ('element' in one ? [index + 1] : []))
}

/**
 * Puts deleted elements back at their places.
 * @param allDeleted all deleted elements of the list
 * @param back returns the restored element; undefined if the element stays deleted
 * @returns the list, the elements that were added, and the elements for which it has no room
 */
export function placed<Element, Deleted extends DeletedElement>(
  list: readonly Element[],
  allDeleted: readonly Deleted[],
  { back, max }: { back: (deleted: Deleted) => Element | undefined; max: number },
): { list: Element[]; added: Deleted[]; lost: Deleted[] } {
  const added: Deleted[] = []
  const lost: Deleted[] = []
  const all = whole(list, allDeleted).flatMap((one) => {
    if ('element' in one) return [one.element]
    const element = back(one.deleted)
    if (element === undefined) return []
    const hasRoom = list.length + added.length < max
    ;(hasRoom ? added : lost).push(one.deleted)
    return hasRoom ? [element] : []
  })
  return { list: all, added, lost }
}
