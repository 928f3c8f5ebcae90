// Values of the file that are replaced in all rows: which can be replaced, and by what. Pure functions, so that each
// rule has a test.
import { COUNTRY_CODES } from '../../../../contract/countries.ts'
import { CURRENCY_CODES } from '../../../../contract/currencies.ts'
import type { Import, ImportCheck, ImportProblemGroup, Replacement } from '../../../../contract/imports.ts'
import { countryName } from '../../../../contract/language.ts'
import type { Attribute } from '../../../shared/api/objects.ts'
import { optionsOf } from '../../../shared/values/attribute-config.ts'

/** A group whose rows can all be fixed by the same value. */
export type Fixable = ImportProblemGroup & { index: number; value: string }

type Settings = Pick<Import, 'mapping' | 'matchOn' | 'duplicates'>

/**
 * A duplicate of a unique value cannot be fixed: a single other value in all these rows would be a duplicate again.
 * Empty cells can be fixed only if rows never update records and the column fills the whole value.
 */
export function isFixable(
  { mapping, matchOn, duplicates }: Settings,
  group: ImportProblemGroup,
): group is Fixable {
  if (group.index === null || group.value === undefined || group.code === 'unique_violation') return false
  const column = mapping?.find(({ index }) => index === group.index)
  if (!column) return false
  return group.value !== '' || (matchOn === null && duplicates !== 'update' && column.part === undefined)
}

interface Choice {
  value: string
  label: string
}

const COUNTRIES: Choice[] = COUNTRY_CODES.map((code) => ({ value: code, label: countryName(code) })).sort(
  (a, b) => a.label.localeCompare(b.label),
)
const CURRENCIES: Choice[] = CURRENCY_CODES.map((code) => ({ value: code, label: code }))
const YES_NO: Choice[] = [
  { value: 'yes', label: 'Yes' },
  { value: 'no', label: 'No' },
]

/** The values that a cell may have; undefined for any text, as in lists. */
export function choicesOf(attribute: Attribute, part: string | undefined): Choice[] | undefined {
  if (attribute.isList) return undefined
  if (part === 'country') return COUNTRIES
  if (part === 'currency') return CURRENCIES
  if (attribute.type === 'checkbox') return YES_NO
  if (attribute.type !== 'select') return undefined
  return optionsOf(attribute).map((option) => ({ value: option, label: option }))
}

type ReplacedValue = Pick<Replacement, 'index' | 'value'>

const isOf = (replaced: ReplacedValue) => (one: ReplacedValue) =>
  one.index === replaced.index && one.value === replaced.value

export const replacementFor = (
  all: readonly Replacement[],
  replaced: ReplacedValue,
): Replacement | undefined => all.find(isOf(replaced))

export const without = (all: readonly Replacement[], replaced: ReplacedValue): Replacement[] =>
  all.filter((one) => !isOf(replaced)(one))

/** Adds a replacement, which replaces an earlier one of the same value. */
export const withReplacement = (all: readonly Replacement[], one: Replacement): Replacement[] => [
  ...without(all, one),
  one,
]

type Checked = Pick<
  Import,
  'mapping' | 'matchOn' | 'duplicates' | 'format' | 'empty' | 'fixedValues' | 'replacements'
>

/** The request of the last check with some choices changed. */
export const checkWith = (
  { mapping, matchOn, duplicates, format, empty, fixedValues, replacements }: Checked,
  change: Partial<Pick<ImportCheck, 'mapping' | 'replacements'>>,
): ImportCheck => ({
  mapping: mapping ?? [],
  matchOn,
  duplicates,
  ...(format && { format }),
  ...(empty && { empty }),
  fixedValues,
  replacements,
  ...change,
})
