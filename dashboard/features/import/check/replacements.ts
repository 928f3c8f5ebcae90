// Values of the file that are replaced in all rows: what can be replaced, and by what. Pure, so that each rule has its test.
import { COUNTRY_CODES } from '../../../../contract/countries.ts'
import { CURRENCY_CODES } from '../../../../contract/currencies.ts'
import type { Import, ImportCheck, ImportProblemGroup, Replacement } from '../../../../contract/imports.ts'
import { countryName } from '../../../../contract/language.ts'
import type { Attribute } from '../../../shared/api/objects.ts'
import { optionsOf } from '../../../shared/values/attribute-config.ts'

/** A group of which every row can be made right by one value. */
export type Fixable = ImportProblemGroup & { index: number; value: string }

type Settings = Pick<Import, 'mapping' | 'matchOn' | 'duplicates'>

/**
 * Values that other rows or records have are good once, and another value for all these rows would be no better.
 * Empty cells are wrong in every row only where each row makes a record and no other column fills the value too.
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

/** What a cell may hold; undefined where it is any text, as in lists. */
export function choicesOf(attribute: Attribute, part: string | undefined): Choice[] | undefined {
  if (attribute.isList) return undefined
  if (part === 'country') return COUNTRIES
  if (part === 'currency') return CURRENCIES
  if (attribute.type === 'checkbox') return YES_NO
  if (attribute.type !== 'select') return undefined
  return optionsOf(attribute).map((option) => ({ value: option, label: option }))
}

type Place = Pick<Replacement, 'index' | 'value'>

const isOf = (place: Place) => (one: Place) => one.index === place.index && one.value === place.value

export const replacementFor = (all: readonly Replacement[], place: Place): Replacement | undefined =>
  all.find(isOf(place))

export const without = (all: readonly Replacement[], place: Place): Replacement[] =>
  all.filter((one) => !isOf(place)(one))

/** The newest for a value is the only one. */
export const withReplacement = (all: readonly Replacement[], one: Replacement): Replacement[] => [
  ...without(all, one),
  one,
]

type Checked = Pick<
  Import,
  'mapping' | 'matchOn' | 'duplicates' | 'format' | 'empty' | 'fixedValues' | 'replacements'
>

/** The check as it was asked for, with other choices. */
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
