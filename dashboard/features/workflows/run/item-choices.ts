// What can be chosen of the loops around a step that is looked at.
import type { CanvasNode } from '../canvas/layout.ts'
import { type Items, itemsIn, type LoopItem, type Trail } from './run-steps.ts'

export interface ItemChoice {
  /** Path of the loop, with the numbers of outer items. */
  loop: string
  /** The items of the loops around it. */
  outer: Items
  /** From 1, the outermost. */
  level: number
  items: readonly LoopItem[]
  /** undefined: the loop as a whole. */
  current: number | undefined
  /** Of the loop that is looked at itself. */
  isOwn: boolean
}

/** @param path of the history; ending in `.items[n]`, the loop is looked at with one of its items */
export function itemChoices(path: string, { step }: Pick<CanvasNode, 'step'>, trail: Trail): ItemChoice[] {
  const chosen = Object.entries(itemsIn(path))
  const isLoop = step?.type === 'for_each'
  const own = path.replace(/\.items\[\d+\]$/, '')
  const choices = chosen.map(
    ([loop, current], at): ItemChoice => ({
      loop,
      outer: Object.fromEntries(chosen.slice(0, at)),
      level: at + 1,
      items: trail.itemsOf(loop),
      current,
      isOwn: isLoop && loop === own,
    }),
  )
  if (isLoop && !choices.some(({ isOwn }) => isOwn))
    choices.push({
      loop: own,
      outer: Object.fromEntries(chosen),
      level: chosen.length + 1,
      items: trail.itemsOf(own),
      current: undefined,
      isOwn: true,
    })
  return choices.filter(({ items }) => items.length > 0)
}
