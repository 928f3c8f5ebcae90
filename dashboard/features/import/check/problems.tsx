// The problems of rows, equal ones grouped, with actions that fix them.
import { Button, Table } from '@mantine/core'
import { useState } from 'react'
import { counted } from '../../../../contract/counted.ts'
import { IMPORT_REPLACEMENTS_MAX } from '../../../../contract/import-states.ts'
import type { CheckResult, ImportProblemGroup } from '../../../../contract/imports.ts'
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
      aria-disabled={isChecking}
      data-disabled={isChecking || undefined}
      onClick={() => !isChecking && onFix(group)}
    >
      Replace…
    </Button>
  )
}

function Row(props: RowProps) {
  const { lines, rows, column, value, message, isSkipped } = props.group
  return (
    <Table.Tr>
      <Table.Td data-numeric data-named={rows === 1 ? 'Line' : 'Lines'}>
        {linesText(lines, rows)}
      </Table.Td>
      <Table.Td>{column}</Table.Td>
      <Table.Td title={value}>{value}</Table.Td>
      <Table.Td>
        <ReplaceButton {...props} />
      </Table.Td>
      <Table.Td>
        {message}
        {isSkipped && <span className="block muted tiny">Imported without this value</span>}
      </Table.Td>
    </Table.Tr>
  )
}

function Head() {
  return (
    <Table.Thead>
      <Table.Tr className="muted">
        <Table.Th data-numeric>Line</Table.Th>
        <Table.Th>Column</Table.Th>
        <Table.Th>Value</Table.Th>
        <Table.Th>
          <span className="visually-hidden">Replace</span>
        </Table.Th>
        <Table.Th>Problem</Table.Th>
      </Table.Tr>
    </Table.Thead>
  )
}

export function Problems({ file, check: { groups, more }, isChecking }: ProblemsProps) {
  const [fixing, setFixing] = useState<Fixable>()
  if (groups.length === 0) return null
  return (
    <div>
      <StepTable title="Problems" maxHeight={400}>
        <Table className={`${classes.table} ${classes.problems} ${classes.stacked}`} stickyHeader>
          <Head />
          <Table.Tbody>
            {byRows(groups).map((group) => (
              <Row
                key={JSON.stringify([
                  group.column,
                  group.code,
                  group.value ?? group.message,
                  group.isSkipped,
                ])}
                file={file}
                group={group}
                isChecking={isChecking}
                onFix={setFixing}
              />
            ))}
          </Table.Tbody>
        </Table>
      </StepTable>
      {more > 0 && (
        <p className="muted small">And {counted(more, 'more problem', 'more problems')} of other values.</p>
      )}
      {fixing && <ReplaceDialog file={file} group={fixing} onClose={() => setFixing(undefined)} />}
    </div>
  )
}
