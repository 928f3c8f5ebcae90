// The problems of rows, equal ones grouped, with actions that fix them.
import { Button } from '@mantine/core'
import { useState } from 'react'
import { counted } from '../../../../contract/counted.ts'
import { IMPORT_REPLACEMENTS_MAX } from '../../../../contract/import-states.ts'
import type { CheckResult, ImportProblemGroup } from '../../../../contract/imports.ts'
import type { Columns } from '../../../ui/data-table/columns.ts'
import dataTable from '../../../ui/data-table/data-table.module.css'
import { DataTable } from '../../../ui/data-table/data-table.tsx'
import { held } from '../../../ui/held.ts'
import type { Import } from '../api.ts'
import classes from '../page/import.module.css'
import { StepTable } from '../page/step-list.tsx'
import { rowsText } from '../upload/file-facts.ts'
import { byRows, linesText } from './problem-groups.ts'
import { ReplaceDialog } from './replace-dialog.tsx'
import { type Fixable, isFixable, replacementFor } from './replacements.ts'

interface ProblemsProps {
  file: Import
  check: CheckResult
  isChecking: boolean
}

interface RowProps extends Pick<ProblemsProps, 'file' | 'isChecking'> {
  group: ImportProblemGroup
  onFix(group: Fixable): void
}

function ReplaceButton({ file, group, isChecking, onFix }: RowProps) {
  if (!isFixable(file, group)) return null
  const isFull =
    file.replacements.length >= IMPORT_REPLACEMENTS_MAX && !replacementFor(file.replacements, group)
  if (isFull)
    return <span className="muted tiny">{IMPORT_REPLACEMENTS_MAX} values are replaced: no more can be</span>
  const what = group.value === '' ? 'empty cells' : group.value
  return (
    <Button
      variant="default"
      size="compact-sm"
      aria-label={`Replace ${what} in ${group.column}, ${rowsText(group.rows)}`}
      {...held(isChecking, () => onFix(group))}
    >
      Replace…
    </Button>
  )
}

const columnsOf = (props: Omit<RowProps, 'group'>): Columns<ImportProblemGroup> => [
  {
    title: 'Line',
    kind: 'number',
    cell: ({ lines, rows }) => linesText(lines, rows),
    cellProps: ({ rows }) => ({ 'data-named': rows === 1 ? 'Line' : 'Lines' }),
  },
  { title: 'Column', cell: ({ column }) => column },
  { title: 'Value', cell: ({ value }) => value, cellProps: ({ value }) => ({ title: value }) },
  {
    title: <span className="visually-hidden">Replace</span>,
    cell: (group) => <ReplaceButton {...props} group={group} />,
  },
  {
    title: 'Problem',
    cell: ({ message, isSkipped }) => (
      <>
        {message}
        {isSkipped && <span className="block muted tiny">Imported without this value</span>}
      </>
    ),
  },
]

export function Problems({ file, check: { groups, more }, isChecking }: ProblemsProps) {
  const [fixing, setFixing] = useState<Fixable>()
  if (groups.length === 0) return null
  return (
    <div>
      <StepTable title="Problems" maxHeight={400}>
        <DataTable
          look={dataTable.grid}
          className={`${classes.table} ${classes.problems} ${classes.stacked}`}
          columns={columnsOf({ file, isChecking, onFix: setFixing })}
          rows={byRows(groups)}
          rowId={({ column, code, value, message, isSkipped }) =>
            JSON.stringify([column, code, value ?? message, isSkipped])
          }
        />
      </StepTable>
      {more > 0 && (
        <p className="muted small">And {counted(more, 'more problem', 'more problems')} of other values.</p>
      )}
      {fixing && <ReplaceDialog file={file} group={fixing} onClose={() => setFixing(undefined)} />}
    </div>
  )
}
