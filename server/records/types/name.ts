import sql from 'sql-template-tag'
import { readName } from '../../../contract/person-name.ts'
import { singleLine } from '../../../contract/single-line.ts'
import { isStorable } from '../../http/storable.ts'
import { NOT_STORABLE, type Refusal, wrongType } from '../values/attribute.ts'
import { isParts, isRefusal, joinParts, type Parts, takeParts } from '../values/parts.ts'
import { objectOrText } from './json-cell.ts'
import type { RecordType } from './record-type.ts'

const FORMS =
  'must be {"firstName":"Ada","lastName":"Lovelace"}, of which one may be missing, or "Ada Lovelace" or "Lovelace, Ada"'
const NOT_NAME_TYPE = wrongType(FORMS)
const NOT_NAME: Refusal = { code: 'invalid_name', message: FORMS }

/** Removes surrounding spaces. Replaces several spaces, a tab or a line break by one space. */
function tidy(text: string): string {
  const line = singleLine(text)
  return UNTIDY.test(line) ? line.replaceAll(/\s+/g, ' ') : line
}
const UNTIDY = /\s\s|[^\S ]/

const accept = (value: Parts) => ({ value, normal: joinParts('name', value, ' ') })

export const name: RecordType = {
  check(value) {
    if (typeof value === 'string')
      return isStorable(value) ? accept({ ...readName(tidy(value)) }) : NOT_STORABLE
    if (!isParts(value)) return NOT_NAME_TYPE
    const parts = takeParts('name', value, NOT_NAME, tidy)
    return isRefusal(parts) ? parts : accept(parts)
  },
  operand: (text) => ({ value: tidy(text) }),
  // A space at the end is kept: `contains "Ada "` matches names that continue after it.
  part: (text) => ({ value: text.replaceAll(/\s+/g, ' ') }),
  text: (value) => sql`nullif(concat_ws(' ', ${value}->>'firstName', ${value}->>'lastName'), '')`,
  textIn: (value) => joinParts('name', value, ' '),
  isWorded: true,
  fromCell: objectOrText,
  toCell: JSON.stringify,
  example: () => ({ firstName: 'Ada', lastName: 'Lovelace' }),
}
