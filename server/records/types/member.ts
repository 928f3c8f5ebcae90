import { isUuid } from '../../../contract/common.ts'
import { isStorable } from '../../http/storable.ts'
import { type Accepted, type Locale, NOT_STORABLE, type Refusal, wrongType } from '../values/attribute.ts'
import { type Operand, type RecordType, trimmed } from './record-type.ts'

const ME = 'me'
const FORM = 'user.id or user.email of a member (GET /api/v1/members)'
const NOT_ME = 'only a signed-in user is me, not an API key, a report or a workflow'
const NOT_MEMBER_TYPE = wrongType(`must be ${FORM} as text`)
const SHOWN_CHARACTERS = 100

const noMember = (text: string) =>
  `no member of the organization is "${text.slice(0, SHOWN_CHARACTERS).toWellFormed()}"`

const refused = (reason: string): Refusal => ({
  code: 'invalid_reference',
  message: `must be ${FORM}: ${reason}`,
})

const unmatched = (reason: string): Operand => ({
  problem: `must be ${FORM}: ${reason}`,
})

const accepted = (id: string): Accepted => ({ value: id, normal: id })

/** If members were not looked up, as in the definition of a workflow, any id or email is accepted. */
function check(value: unknown, _attribute: unknown, locale: Locale): Accepted | Refusal {
  if (typeof value !== 'string') return NOT_MEMBER_TYPE
  if (!isStorable(value)) return NOT_STORABLE
  const text = value.trim().toLowerCase()
  const { me, members } = locale
  if (text === ME) return me === undefined ? refused(NOT_ME) : accepted(me)
  if (members === undefined)
    return text.includes('@') || isUuid(text) ? accepted(text) : refused(noMember(value))
  const id = members.get(text)
  return id === undefined ? refused(noMember(value)) : accepted(id)
}

/**
 * A user id is not looked up: values may name users who have left. Emails were looked up before
 * (filters/named-members.ts).
 */
function operand(value: string, { me, members }: Locale): Operand {
  const text = value.trim().toLowerCase()
  if (text === ME) return me === undefined ? unmatched(NOT_ME) : { value: me }
  const id = isUuid(text) ? text : members?.get(text)
  return id === undefined ? unmatched(noMember(value)) : { value: id }
}

export const member: RecordType = {
  check,
  operand,
  operandForm: FORM,
  isKeyWhole: true,
  fromCell: trimmed,
  example: () => '0198c0de-0000-7000-8000-000000000001',
}
