// Types whose values come from a known set or are tokens: checkbox, select, list, reference.
import { isUuid } from '../../../contract/common.ts'
import { isStorable } from '../../http/storable.ts'
import { type Check, type Refusal, type ValueAttribute, wrongType } from './attribute.ts'
import { NOT_STORABLE } from './text.ts'

const NOT_CHECKBOX_TYPE = wrongType('Send true or false.')
const NOT_CHECKBOX: Refusal = { code: 'invalid_checkbox', message: 'Send true or false.' }
const NOT_OPTION_TYPE = wrongType('Send one of the options as text.')
const NOT_LIST_TYPE = wrongType('Send texts, such as ["vip","eu"].')
const NOT_REFERENCE_TYPE = wrongType('Send the id of a record as text.')
const NOT_REFERENCE: Refusal = {
  code: 'invalid_reference',
  message: 'Send the id of a record, such as "0198c0de-0000-7000-8000-000000000001".',
}
const LIST_TEXT_MAX = 1000
const TOO_LONG: Refusal = {
  code: 'invalid_list',
  message: `Each text of a list may have at most ${LIST_TEXT_MAX} characters.`,
}
const OPTIONS_NAMED_MAX = 10

export const checkCheckbox: Check = (value) => {
  if (typeof value === 'boolean') return { value }
  if (value === 'true') return { value: true }
  if (value === 'false') return { value: false }
  return typeof value === 'string' ? NOT_CHECKBOX : NOT_CHECKBOX_TYPE
}

export const checkSelect: Check = (value, attribute) => {
  if (typeof value !== 'string') return NOT_OPTION_TYPE
  if (!isStorable(value)) return NOT_STORABLE
  const options = optionsOf(attribute)
  return options.includes(value) ? { value, normal: value } : unknownOption(options)
}

function optionsOf({ config }: ValueAttribute): readonly string[] {
  return config && 'options' in config ? config.options : []
}

function unknownOption(options: readonly string[]): Refusal {
  const named = options.slice(0, OPTIONS_NAMED_MAX).map((option) => JSON.stringify(option))
  const more = options.length - named.length
  const rest = more > 0 ? ` or one of ${more} more` : ''
  return { code: 'unknown_option', message: `Send one of the options: ${named.join(', ')}${rest}.` }
}

/** One text of a list. */
export const checkListText: Check = (value) => {
  if (typeof value !== 'string') return NOT_LIST_TYPE
  if (!isStorable(value)) return NOT_STORABLE
  return value.length > LIST_TEXT_MAX ? TOO_LONG : { value }
}

export const checkReference: Check = (value) => {
  if (typeof value !== 'string') return NOT_REFERENCE_TYPE
  if (!isUuid(value)) return NOT_REFERENCE
  const id = value.toLowerCase()
  return { value: id, normal: id }
}
