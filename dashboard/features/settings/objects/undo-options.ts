// The requests that undo a change of the options of a select attribute. Pure functions.
import type { OptionEdit, OptionsPatch } from '../../../../contract/attribute-options.ts'

interface Option extends Pick<OptionEdit, 'value'> {
  color?: OptionEdit['color'] | undefined
}

export interface OptionsChange {
  before: readonly Option[]
  patch: OptionsPatch
}

/** The former options of the change that records lost: they were merged into another option, or removed. */
export function lostOptions({ before, patch }: OptionsChange): string[] {
  const renamed = new Set(renamedOptions({ before, patch }).values())
  const kept = new Set(patch.options.map(({ value }) => value))
  return before.flatMap(({ value }) => (kept.has(value) || renamed.has(value) ? [] : value))
}

/** Former options by their new names, without merges. */
function renamedOptions({ before, patch }: OptionsChange): Map<string, string> {
  const known = new Set(before.map(({ value }) => value))
  return new Map(
    patch.options.flatMap(({ value, from = [] }) =>
      from.length === 1 && from[0] !== undefined && !known.has(value) ? [[value, from[0]]] : [],
    ),
  )
}

/**
 * @param now the present options, which others may have changed since
 * @returns `widened` has the former options, and also those that the change and others added; `restored` has no longer
 * those that the change added. Between the two requests, records get the former options.
 */
export function undoPatches(
  change: OptionsChange,
  now: readonly Option[],
): Record<'widened' | 'restored', OptionsPatch> {
  const { before, patch } = change
  const names = new Map(
    [...renamedOptions(change)].filter(([name]) => now.some(({ value }) => value === name)),
  )
  const renamedBack = new Map([...names].map(([name, former]) => [former, name]))
  const former = before.map(({ value, color }) => {
    const from = renamedBack.get(value)
    return { value, ...(color && { color }), ...(from !== undefined && { from: [from] }) }
  })
  const added = now.filter(({ value }) => !names.has(value) && !before.some((one) => one.value === value))
  const ofOthers = added.filter(({ value }) => !patch.options.some((one) => one.value === value))
  const plain = (options: readonly Option[]) =>
    options.map(({ value, color }) => ({ value, ...(color && { color }) }))
  return {
    widened: { options: [...former, ...plain(added)] },
    restored: { options: [...plain(before), ...plain(ofOthers)] },
  }
}
