// Plans a change of the options of a select attribute. Pure.
import type { OptionEdit, OptionsPatch } from '../../contract/attribute-options.ts'
import type { SelectConfig } from '../../contract/attributes.ts'
import type { Problem } from '../../contract/errors.ts'
import { colorOf, type OptionColor } from '../../contract/option-colors.ts'
import { singleLine } from '../../contract/single-line.ts'
import { invalid } from '../base/errors.ts'
import type { OptionNames } from '../model/attributes/models.ts'

export interface OptionPlan {
  config: SelectConfig
  /** Former options, each with the option that replaces it; null removes the value. */
  names: OptionNames
  /** Options that are removed without a replacement. No record may have one of them. */
  removed: string[]
}

/**
 * An existing option in its stored form, which may be from before texts were trimmed and normalized; otherwise a new
 * option.
 */
function tidy(before: readonly string[], option: string): string {
  if (before.includes(option)) return option
  const line = singleLine(option)
  return before.find((one) => singleLine(one) === line) ?? line
}

const tidied = (
  before: readonly string[],
  { options, clear = [] }: OptionsPatch,
): Required<OptionsPatch> => ({
  options: options.map(({ from, ...one }) => {
    const going = from?.map((option) => tidy(before, option))
    const value = tidy(
      before.filter((option) => option === one.value || !going?.includes(option)),
      one.value,
    )
    return { ...one, value, ...(going && { from: going }) }
  }),
  clear: clear.map((option) => tidy(before, option)),
})

const SAME = 'is listed before: list each option once'

function* valueProblems(values: readonly string[]): Generator<Problem> {
  for (const [index, value] of values.entries())
    if (values.indexOf(value) < index)
      yield { path: `options[${index}].value`, code: 'uniqueItems', message: SAME }
}

/** All existing options that the patch replaces or clears, with their paths. */
const goingOf = ({ options, clear }: Required<OptionsPatch>) => [
  ...options.flatMap(({ value, from = [] }, index) =>
    from.map((option, place) => ({ option, value, path: `options[${index}].from[${place}]` })),
  ),
  ...clear.map((option, place) => ({ option, value: undefined, path: `clear[${place}]` })),
]

function* goingProblems(before: readonly string[], patch: Required<OptionsPatch>): Generator<Problem> {
  const values = new Set(patch.options.map(({ value }) => value))
  const seen = new Set<string>()
  for (const { option, value, path } of goingOf(patch)) {
    if (!before.includes(option))
      yield {
        path,
        code: 'unknown_option',
        message: `must be an existing option, not ${option}: send the options as they are now`,
      }
    else if (seen.has(option)) yield { path, code: 'duplicate', message: SAME }
    else if (option !== value && values.has(option))
      yield {
        path,
        code: 'still_listed',
        message: `${option} is also a new option: rename it in a separate change first`,
      }
    seen.add(option)
  }
}

/** An option keeps its color when it is moved or renamed. */
function colorsOf(before: SelectConfig, options: readonly OptionEdit[]): Record<string, OptionColor> {
  const colors: Record<string, OptionColor> = {}
  for (const { value, from = [], color } of options) {
    const known = [value, ...from].find((option) => before.options.includes(option))
    const kept = color ?? (known === undefined ? undefined : colorOf(before, known))
    if (kept) colors[value] = kept
  }
  return colors
}

/** Former names that still lead to an option. */
function aliasesOf(before: SelectConfig, names: OptionNames, options: readonly string[]) {
  const aliases: Record<string, string> = {}
  const entries = [...Object.entries(before.aliases ?? {}), ...Object.entries(names)]
  for (const [alias, option] of entries) {
    const now = option !== null && Object.hasOwn(names, option) ? names[option] : option
    if (now && options.includes(now) && !options.includes(alias)) aliases[alias] = now
  }
  return aliases
}

function namesOf(patch: Required<OptionsPatch>): OptionNames {
  const going = goingOf(patch).filter(({ option, value }) => option !== value)
  return Object.fromEntries(going.map(({ option, value }) => [option, value ?? null]))
}

/** @throws 400 validation_error */
export function planOptions(before: SelectConfig, sent: OptionsPatch): OptionPlan {
  const patch = tidied(before.options, sent)
  const options = patch.options.map(({ value }) => value)
  const problems = [...valueProblems(options), ...goingProblems(before.options, patch)]
  if (problems.length > 0) throw invalid('validation_error', problems)
  const names = namesOf(patch)
  const colors = colorsOf(before, patch.options)
  const aliases = aliasesOf(before, names, options)
  return {
    config: {
      options,
      ...(Object.keys(colors).length > 0 && { colors }),
      ...(Object.keys(aliases).length > 0 && { aliases }),
    },
    names,
    removed: before.options.filter((option) => !options.includes(option) && !Object.hasOwn(names, option)),
  }
}
