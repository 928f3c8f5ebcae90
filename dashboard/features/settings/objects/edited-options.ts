// The edited options of an attribute, and the request that saves them. Pure functions.
import type { OptionsPatch } from '../../../../contract/attribute-options.ts'
import { colorOf, type OptionColor } from '../../../../contract/option-colors.ts'
import type { Attribute } from '../../../shared/api/objects.ts'
import { moved } from '../../../ui/moved.ts'

export interface EditedOption {
  key: string
  value: string
  /** The saved name; undefined: the option is new. */
  was: string | undefined
  color: OptionColor | undefined
}

/** An option that saving will remove. */
export interface RemovedOption {
  was: string
  /** The key of the option that its records get instead; null: no value. */
  to: string | null
}

export interface EditedOptions {
  rows: readonly EditedOption[]
  removed: readonly RemovedOption[]
}

export function editedOptions({ config }: Pick<Attribute, 'config'>): EditedOptions {
  if (!config || !('options' in config)) return { rows: [], removed: [] }
  const row = (value: string) => ({ key: `was ${value}`, value, was: value, color: colorOf(config, value) })
  return { rows: config.options.map(row), removed: [] }
}

export const withRow = ({ rows, ...rest }: EditedOptions, changed: EditedOption): EditedOptions => ({
  ...rest,
  rows: rows.map((row) => (row.key === changed.key ? changed : row)),
})

export const withMoved = ({ rows, ...rest }: EditedOptions, from: number, to: number): EditedOptions => ({
  ...rest,
  rows: moved(rows, from, to),
})

/** @param key unique among all rows, including removed ones */
export const withNew = ({ rows, ...rest }: EditedOptions, key: string): EditedOptions => ({
  ...rest,
  rows: [...rows, { key, value: '', was: undefined, color: undefined }],
})

/** Removes a row. Options that were to be merged into it lose that choice. */
export const withoutRow = ({ rows, removed }: EditedOptions, { key, was }: EditedOption): EditedOptions => ({
  rows: rows.filter((row) => row.key !== key),
  removed: [
    ...removed.map((one) => (one.to === key ? { ...one, to: null } : one)),
    ...(was === undefined ? [] : [{ was, to: null }]),
  ],
})

export const withSuccessor = ({ rows, removed }: EditedOptions, was: string, to: string | null) => ({
  rows,
  removed: removed.map((one) => (one.was === was ? { was, to } : one)),
})

const optionOf = ({ key, was, color, ...row }: EditedOption, removed: readonly RemovedOption[]) => {
  const value = row.value.trim()
  const from = [
    ...(was === undefined ? [] : [was]),
    ...removed.flatMap((one) => (one.to === key ? one.was : [])),
  ]
  const isPlain = from.length === 0 || (from.length === 1 && from[0] === value)
  return { value, ...(!isPlain && { from }), ...(color && { color }) }
}

/** Omits empty rows. @param isUsed whether any record has the option */
export function patchOf({ rows, removed }: EditedOptions, isUsed: (option: string) => boolean): OptionsPatch {
  const clear = removed.filter(({ was, to }) => to === null && isUsed(was)).map(({ was }) => was)
  return {
    options: rows.filter(({ value }) => value.trim() !== '').map((row) => optionOf(row, removed)),
    ...(clear.length > 0 && { clear }),
  }
}
