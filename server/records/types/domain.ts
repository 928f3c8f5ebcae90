import { isStorable } from '../../http/storable.ts'
import { NOT_STORABLE, type Refusal, wrongType } from '../values/attribute.ts'
import { comparedHost, partOfHost } from '../values/compared-host.ts'
import { type RecordType, trimmed } from './record-type.ts'

const NOT_DOMAIN_TYPE = wrongType('must be a host name as text, such as "acme.com"')
const NOT_DOMAIN: Refusal = {
  code: 'invalid_domain',
  message:
    'must be a host name, such as "acme.com", or the address of a page on it, such as "https://www.acme.com/about": of an email address, send what follows the @',
}

/** The host name. Records from before this type may have texts without a host name, which are compared as texts. */
const comparedText = (text: string): string => comparedHost(text) ?? text.toLowerCase()

export const domain: RecordType = {
  check(value, { slug }, { heldTexts }) {
    if (typeof value !== 'string') return NOT_DOMAIN_TYPE
    if (!isStorable(value)) return NOT_STORABLE
    const host = comparedHost(value)
    if (host !== undefined) return { value, normal: host }
    return heldTexts?.has(`${slug} ${value}`) ? { value, normal: value } : NOT_DOMAIN
  },
  operand: (text) => ({ value: comparedText(text) }),
  part: (text) => ({ value: partOfHost(text) }),
  textIn: (value) => comparedText(String(value)),
  ignoresCase: true,
  hasComparable: true,
  mayLackComparable: true,
  isKeyWhole: true,
  isWorded: true,
  fromCell: trimmed,
  example: () => 'acme.com',
}
