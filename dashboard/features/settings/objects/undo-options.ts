// The requests that undo a change of the options of a select attribute. Later changes by others stay. Pure functions.
import type { OptionEdit, OptionsPatch } from '../../../../contract/attribute-options.ts'
import type { OptionColor } from '../../../../contract/option-colors.ts'

export interface Option {
  value: string
  color?: OptionColor | undefined
}

export interface OptionsChange {
  before: readonly Option[]
  patch: OptionsPatch
  /** The options that the service stored for those of the patch, in its order. */
  after: readonly Option[]
}

const has = (options: readonly Option[], name: string) => options.some(({ value }) => value === name)

const colorIn = (options: readonly Option[], name: string) =>
  options.find(({ value }) => value === name)?.color

/** Former options by their new names. Of options that were merged into a new one, the first was renamed. */
function renamedOptions({ before, patch, after }: OptionsChange): Map<string, string> {
  return new Map(
    patch.options.flatMap(({ from: [former] = [] }, at) => {
      const { value = '' } = after[at] ?? {}
      return former !== undefined && !has(before, value) ? [[value, former]] : []
    }),
  )
}

/** The former options that records lost: they were merged into another option, or removed. */
export function lostOptions(change: OptionsChange): string[] {
  const renamed = new Set(renamedOptions(change).values())
  return change.before.flatMap(({ value }) => (has(change.after, value) || renamed.has(value) ? [] : value))
}

/** The place of a former option: after the nearest option that was before it. */
function placeOf(name: string, before: readonly Option[], options: readonly Option[]): number {
  const earlier = before.slice(
    0,
    before.findIndex(({ value }) => value === name),
  )
  const near = earlier.findLast(({ value }) => has(options, value))
  return near === undefined ? 0 : options.findIndex(({ value }) => value === near.value) + 1
}

const names = (options: readonly Option[]) => options.map(({ value }) => value)
const isSameOrder = (one: readonly Option[], other: readonly Option[]) =>
  names(one).join('\n') === names(other).join('\n')

/** Options in their former order, followed by the others. */
function inFormerOrder(options: readonly OptionEdit[], before: readonly Option[]): OptionEdit[] {
  const known = before.flatMap(({ value }) => options.find((one) => one.value === value) ?? [])
  return [...known, ...options.filter(({ value }) => !has(before, value))]
}

/**
 * Renames back, and adds the options that records lost. Options that the change added stay, because records may have
 * them.
 * @param now the present options
 */
export function widenedOptions(change: OptionsChange, now: readonly Option[]): OptionsPatch {
  const { before, after } = change
  const renamed = renamedOptions(change)
  const options = now.map(({ value, color }): OptionEdit => {
    const former = renamed.get(value)
    const name = former === undefined || has(now, former) ? value : former
    const old = colorIn(before, name)
    // A color that was chosen since stays.
    const isRestored = old !== undefined && old !== color && color === colorIn(after, value)
    return { value: name, ...(name !== value && { from: [value] }), ...(isRestored && { color: old }) }
  })
  for (const name of lostOptions(change)) {
    if (has(options, name)) continue
    const color = colorIn(before, name)
    options.splice(placeOf(name, before, options), 0, { value: name, ...(color && { color }) })
  }
  return { options: isSameOrder(now, after) ? inFormerOrder(options, before) : options }
}

/** Removes the options that the change added. @param now the options after the first request */
export function narrowedOptions(change: OptionsChange, now: readonly Option[]): OptionsPatch {
  const renamed = renamedOptions(change)
  const added = names(change.after).filter((name) => !has(change.before, name) && !renamed.has(name))
  return { options: names(now).flatMap((value) => (added.includes(value) ? [] : { value })) }
}
