// What is wrong with which rows, equal problems together, and the way to make them right.
import { Button, Table } from '@mantine/core'
import { useState } from 'react'
import { IMPORT_REPLACEMENTS_MAX } from '../../../../contract/import-states.ts'
import type { CheckResult, ImportProblemGroup } from '../../../../contract/imports.ts'
import type { Import } from '../api.ts'
import { counted, rowsText } from './file-facts.ts'
import classes from './import.module.css'
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
    return <span className={classes.note}>{IMPORT_REPLACEMENTS_MAX} values are replaced: no more can be</span>
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
  const { lines, rows, column, value, message } = props.group
  return (
    <Table.Tr>
      <Table.Td className={classes.count}>{linesText(lines, rows)}</Table.Td>
      <Table.Td>{column}</Table.Td>
      <Table.Td title={value}>{value}</Table.Td>
      <Table.Td>
        <ReplaceButton {...props} />
      </Table.Td>
      <Table.Td>{message}</Table.Td>
    </Table.Tr>
  )
}

function Head() {
  return (
    <Table.Thead>
      <Table.Tr>
        <Table.Th className={classes.count}>Line</Table.Th>
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
      <h3 className={classes.subtitle}>Problems</h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard */}
      <section className={classes.scroll} aria-label="Problems" tabIndex={0} data-tall>
        <Table className={classes.problems} stickyHeader>
          <Head />
          <Table.Tbody>
            {byRows(groups).map((group) => (
              <Row
                key={JSON.stringify([group.column, group.code, group.value ?? group.message])}
                file={file}
                group={group}
                isChecking={isChecking}
                onFix={setFixing}
              />
            ))}
          </Table.Tbody>
        </Table>
      </section>
      {more > 0 && (
        <p className="muted small flush">
          And {counted(more, 'more problem', 'more problems')} of other values.
        </p>
      )}
      {fixing && <ReplaceDialog file={file} group={fixing} onClose={() => setFixing(undefined)} />}
    </div>
  )
}
