// Shows that a quick search did not search all records.

import { Box } from '@mantine/core'
import { formatCount } from '../../../../contract/counted.ts'
import type { ObjectWithAttributes } from '../../../../contract/objects.ts'
import type { Rows } from './use-rows.ts'

const ADVICE = 'Search for a longer or rarer word, or add a filter.'

export function SearchedNote({ object, rows }: { object: ObjectWithAttributes; rows: Rows }) {
  const { searched, total } = rows
  const many = object.pluralName.toLowerCase()
  const text =
    searched === undefined
      ? ''
      : searched === 0
        ? `This search takes too long for so many ${many}. ${ADVICE}`
        : `This search takes too long for all ${many}: ${total === 0 ? 'none of' : 'these are among'} the newest ${formatCount(searched)}. ${ADVICE}`
  return (
    <div role="status" className="fixed small">
      {text && (
        <Box className="muted" px={16} py={8}>
          {text}
        </Box>
      )}
    </div>
  )
}
