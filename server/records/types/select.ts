import type { AttributeConfig } from '../../../contract/attributes.ts'
import { singleLine } from '../../../contract/single-line.ts'
import { isStorable } from '../../http/storable.ts'
import { listed, nearest } from '../../suggestions.ts'
import { NOT_STORABLE, type Refusal, wrongType } from '../values/attribute.ts'
import { plainText, type RecordType } from './record-type.ts'

const NOT_OPTION_TYPE = wrongType('must be one of the options, as text')

const optionsOf = (config: AttributeConfig): readonly string[] =>
  config && 'options' in config ? config.options : []

/** Options of before may have another normal form, or spaces around them. */
const sameLine = (texts: readonly string[], text: string): string | undefined =>
  texts.find((one) => singleLine(one) === singleLine(text))

/** The option that a text stands for: itself, or the one it is another name of. */
export function optionNamed(text: string, config: AttributeConfig | undefined): string {
  if (!config || !('options' in config)) return text
  const { options, aliases = {} } = config
  if (options.includes(text)) return text
  const alias = Object.hasOwn(aliases, text) ? text : sameLine(Object.keys(aliases), text)
  return sameLine(options, text) ?? (alias === undefined ? text : (aliases[alias] ?? text))
}

function unknownOption(text: string, options: readonly string[]): Refusal {
  const near = nearest(text, options)
  const named = listed(options.map((option) => JSON.stringify(option)))
  const message = near === undefined ? named : `${named}: did you mean ${JSON.stringify(near)}?`
  return { code: 'unknown_option', message: `must be one of the options ${message}` }
}

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
