import type { AttributeConfig } from '../../../contract/attributes.ts'
import { singleLine } from '../../../contract/single-line.ts'
import { listed, nearest } from '../../base/suggestions.ts'
import { isStorable } from '../../http/storable.ts'
import { NOT_STORABLE, type Refusal, wrongType } from '../values/attribute.ts'
import { plainText, type RecordType } from './record-type.ts'

const NOT_OPTION_TYPE = wrongType('must be one of the options, as text')

const optionsOf = (config: AttributeConfig): readonly string[] =>
  config && 'options' in config ? config.options : []

type Named = readonly (readonly [name: string, option: string])[]

/** If several names are the same line of text, the first one counts. */
const byLine = (named: Named): ReadonlyMap<string, string> =>
  new Map(named.toReversed().map(([name, option]) => [singleLine(name), option]))

type Options = Extract<AttributeConfig, { options: unknown }>

/** Cached by config: a request may name an option in each of its values. */
const optionsByLine = new WeakMap<Options, ReadonlyMap<string, string>>()

/** Older options may have another normal form, or spaces around them. */
function linesOf(config: Options): ReadonlyMap<string, string> {
  const known = optionsByLine.get(config)
  if (known) return known
  const { options, aliases = {} } = config
  const lines = byLine([...options.map((option) => [option, option] as const), ...Object.entries(aliases)])
  optionsByLine.set(config, lines)
  return lines
}

/** The option that a text names: the text itself, or the option that has the text as another name. */
export function optionNamed(text: string, config: AttributeConfig | undefined): string {
  if (!config || !('options' in config)) return text
  return config.options.includes(text) ? text : (linesOf(config).get(singleLine(text)) ?? text)
}

function advisedOption(text: string, options: readonly string[]): string {
  const near = nearest(text, options)
  const named = listed(options.map((option) => JSON.stringify(option)))
  const message = near === undefined ? named : `${named}: did you mean ${JSON.stringify(near)}?`
  return `must be one of the options ${message}`
}

const unknownOption = (text: string, options: readonly string[]): Refusal => ({
  code: 'unknown_option',
  message: 'must be one of the options of the attribute',
  advised: () => advisedOption(text, options),
})

export const select: RecordType = {
  ...plainText,
  check(value, { config }) {
    if (typeof value !== 'string') return NOT_OPTION_TYPE
    if (!isStorable(value)) return NOT_STORABLE
    const options = optionsOf(config)
    const option = optionNamed(value, config)
    return options.includes(option) ? { value: option, normal: option } : unknownOption(value, options)
  },
  operand: (text, _locale, { config }) => ({ value: optionNamed(text, config) }),
  namedIn: (value, config) => (typeof value === 'string' ? optionNamed(value, config) : value),
  isWorded: true,
  fromCell: optionNamed,
  example: ({ config }) => optionsOf(config)[0] ?? null,
}
