// The choices of items for the loops around the shown step.
import type { CanvasNode } from '../canvas/layout.ts'
import { type Items, itemsIn, type LoopItem, type Trail } from './run-steps.ts'

export interface ItemChoice {
  /** Path of the loop, with the numbers of outer items. */
  loop: string
  /** The chosen items of outer loops. */
  outer: Items
  /** Nesting level, 1 for the outermost loop. */
  level: number
  items: readonly LoopItem[]
  /** Index of the chosen item; undefined: the loop as a whole. */
  current: number | undefined
  /** Whether the loop is the shown step itself. */
  isOwn: boolean
}

/** @param path in the history; with `.items[n]` at the end, the shown step is a loop with a chosen item */
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
