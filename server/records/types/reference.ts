import { refersToMembers } from '../../../contract/attribute-types/reference.ts'
import { isUuid } from '../../../contract/common.ts'
import { isStorable } from '../../http/storable.ts'
import {
  type Locale,
  NOT_STORABLE,
  type Refusal,
  type ValueAttribute,
  wrongType,
} from '../values/attribute.ts'
import { type RecordType, trimmed, valueOr } from './record-type.ts'

const NOT_REFERENCE_TYPE = wrongType('Send the id of a record as text.')
const NOT_MEMBER_TYPE = wrongType('Send the user id or the email of a member as text.')
const EXAMPLE = '0198c0de-0000-7000-8000-000000000001'
const NOT_REFERENCE: Refusal = {
  code: 'invalid_reference',
  message: `Send the id of a record, such as "${EXAMPLE}".`,
}
const NOT_ID = 'The operand must be the id of a record.'
const NOT_USER = 'The operand must be the user id of a member, or me.'
const NO_ME =
  'me is the signed-in user, which API keys, reports and workflows do not have: send the user id of a member (GET /api/v1/members).'

const SHOWN_CHARACTERS = 100

const notMember = (text: string): Refusal => ({
  code: 'invalid_reference',
  message: `"${text.slice(0, SHOWN_CHARACTERS).toWellFormed()}" is no member of the organization: send user.id or user.email of a member (GET /api/v1/members).`,
})

const accepted = (id: string) => ({ value: id, normal: id })

/** Where members were not looked up, such as in the definition of a workflow, any id or email may be one. */
function checkMember(value: unknown, { members }: Locale) {
  if (typeof value !== 'string') return NOT_MEMBER_TYPE
  if (!isStorable(value)) return NOT_STORABLE
  const text = value.trim().toLowerCase()
  if (members === undefined) return text.includes('@') || isUuid(text) ? accepted(text) : notMember(value)
  const id = members.get(text)
  return id === undefined ? notMember(value) : accepted(id)
}

function memberOperand(text: string, { me }: Locale) {
  if (text === 'me') return valueOr(me, NO_ME)
  return valueOr(isUuid(text) ? text.toLowerCase() : undefined, NOT_USER)
}

export const reference: RecordType = {
  check(value, attribute: ValueAttribute, locale) {
    if (refersToMembers(attribute)) return checkMember(value, locale)
    if (typeof value !== 'string') return NOT_REFERENCE_TYPE
    if (!isUuid(value)) return NOT_REFERENCE
    return accepted(value.toLowerCase())
  },
  operand: (text, locale, attribute) =>
    refersToMembers(attribute)
      ? memberOperand(text, locale)
      : valueOr(isUuid(text) ? text.toLowerCase() : undefined, NOT_ID),
  isKeyWhole: true,
  fromCell: trimmed,
  cells: { isOne: isUuid },
  example: () => EXAMPLE,
}
