// Per column with cells that cannot be used: whether the rows are left out, or only the cells.
import { Box } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { CheckResult, OnProblem } from '../../../../contract/imports.ts'
import { messageOf } from '../../../shared/api/errors.ts'
import { objectQuery } from '../../../shared/api/objects.ts'
import { useOrg } from '../../../shared/use-organization.ts'
import { targetOf as objectOf } from '../../../shared/values/attribute-config.ts'
import { Select } from '../../../ui/select.tsx'
import type { Import } from '../api.ts'
import { type ProblemColumn, problemColumns, withChoice } from '../map/handling.ts'
import { useImportPage } from '../page/use-import-page.ts'
import { rowsText } from '../upload/file-facts.ts'
import { useCheckAgain } from './use-check-again.ts'

function useLabels({ attribute }: ProblemColumn): Record<OnProblem, string> {
  const org = useOrg()
  const target = objectOf(attribute)
  const { data } = useQuery({ ...objectQuery(org, target ?? ''), enabled: target !== undefined })
  return {
    create: `Create the missing ${data?.pluralName.toLowerCase() ?? 'records'}`,
    skip: 'Leave the cell empty',
    fail: 'Leave out the row',
  }
}

interface OneProps {
  file: Import
  one: ProblemColumn
  isChecking: boolean
}

function One({ file, one, isChecking }: OneProps) {
  const labels = useLabels(one)
  const check = useCheckAgain(file)
  const { column, header, rows, choices } = one
  const choose = (chosen: string | null) => {
    if (chosen !== null && chosen !== (column.onProblem ?? 'fail'))
      check.mutate({ mapping: withChoice(file.mapping ?? [], column.index, chosen as OnProblem) })
  }
  return (
    <Box component="li" className="row wrap between gap-12" px={12} py={8}>
      <span className="breakable small">
        <span className="medium plain">{header}</span> · {rowsText(rows)}
        {check.error && (
          <span role="alert" className="danger">
            {' '}
            {messageOf(check.error)}
          </span>
        )}
      </span>
      <Select
        w={{ base: '100%', sm: 240 }}
        aria-label={`When a value of ${header} cannot be used`}
        data={choices.map((value) => ({ value, label: labels[value] }))}
        value={column.onProblem ?? 'fail'}
        onChange={choose}
        allowDeselect={false}
        disabled={isChecking || check.isPending}
      />
    </Box>
  )
}

interface ProblemChoicesProps {
  file: Import
  check: CheckResult
  isChecking: boolean
}

export function ProblemChoices({ file, check, isChecking }: ProblemChoicesProps) {
  const { object } = useImportPage()
  const columns = problemColumns(file, check, object)
  if (columns.length === 0) return null
  return (
    <div>
      <h3>When a value cannot be used</h3>
      <Box
        component="ul"
        className="bordered rounded divided"
        my={8}
        aria-label="When a value cannot be used"
      >
        {columns.map((one) => (
          <One key={one.column.index} file={file} one={one} isChecking={isChecking} />
        ))}
      </Box>
    </div>
  )
}
