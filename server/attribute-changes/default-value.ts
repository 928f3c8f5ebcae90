// The default value of an attribute: which values are allowed, and how it follows changed options.
import type { SelectConfig } from '../../contract/attributes.ts'
import { mayHaveDefault } from '../../contract/default-values.ts'
import type { Problem } from '../../contract/errors.ts'
import { DEFAULT_VALUE_BYTES_MAX } from '../../contract/limits.ts'
import { isBlank } from '../../contract/single-line.ts'
import { invalid, invalidField } from '../base/errors.ts'
import type { JsonValue } from '../base/json.ts'
import type { ReadDefault } from '../model/attributes/definition.ts'
import type { OptionNames } from '../model/attributes/models.ts'
import { checkData } from '../records/validation/values.ts'
import type { Locale, ValueAttribute } from '../records/values/attribute.ts'

const PATH = 'defaultValue'

type Defined = Parameters<ReadDefault>[0]

/** @throws 400 validation_error */
function requireAllowed({ type, isUnique }: Defined): void {
  if (mayHaveDefault({ type, isUnique })) return
  const reason = isUnique
    ? 'a unique attribute, whose value only one record can have'
    : `an attribute of type ${type}, whose values name what can be deleted or depart`
  throw invalidField(PATH, 'not_allowed', `must be null or omitted for ${reason}`)
}

/** Moves a problem from the path of the value in a record to the path of the default. */
const ofDefault =
  ({ slug }: Defined) =>
  ({ path, ...problem }: Problem): Problem => ({
    ...problem,
    path: path.startsWith(`data.${slug}`) ? PATH + path.slice(`data.${slug}`.length) : PATH,
  })

/** Values that would count as missing if the attribute were required. */
const isNothing = (value: JsonValue | undefined): boolean =>
  value === undefined || (typeof value === 'string' && isBlank(value)) || [value].flat().length === 0

/** @throws 400 validation_error */
function requireSize(value: JsonValue): void {
  if (Buffer.byteLength(JSON.stringify(value)) <= DEFAULT_VALUE_BYTES_MAX) return
  throw invalidField(PATH, 'too_large', `must have at most ${DEFAULT_VALUE_BYTES_MAX} bytes: send less`)
}

/** Checks a default like a value of a record, with the current country and currency of the organization. */
export const readingDefault =
  (locale: Locale): ReadDefault =>
  (attribute, sent) => {
    if (sent === null) return null
    requireAllowed(attribute)
    const { slug } = attribute
    const plain: ValueAttribute = { ...attribute, isRequired: false, defaultValue: null }
    const checked = checkData('patch', { [slug]: sent }, new Map([[slug, plain]]), locale)
    if ('problems' in checked) throw invalid('validation_error', checked.problems.map(ofDefault(attribute)))
    const value = checked.set[slug]
    if (value === undefined || isNothing(value))
      throw invalidField(PATH, 'empty_text', 'must not be empty: send null for no default')
    requireSize(value)
    return value
  }

interface ChangedOptions {
  names: OptionNames
  config: SelectConfig
}

/** The default after its options were renamed, merged or removed, as for values of records. */
export function defaultAfter(value: unknown, { names, config }: ChangedOptions): JsonValue | null {
  const follow = (option: string): string | null => {
    const now = Object.hasOwn(names, option) ? names[option] : option
    return now != null && config.options.includes(now) ? now : null
  }
  if (typeof value === 'string') return follow(value)
  if (!Array.isArray(value)) return null
  const left = [...new Set(value.flatMap((option) => follow(String(option)) ?? []))]
  return left.length === 0 ? null : left
}
