// Rows that match an existing record: their count, and the records whose rows are skipped.
import { Stack } from '@mantine/core'
import { Equal } from 'lucide-react'
import { counted, formatCount } from '../../../../contract/counted.ts'
import type { CheckResult } from '../../../../contract/imports.ts'
import { RecordChip } from '../../../shared/values/record-chip.tsx'
import type { Import } from '../api.ts'
import { StepTable } from '../page/step-list.tsx'
import { useImportPage } from '../page/use-import-page.ts'
import type { Count } from '../run/counts.tsx'
import { rowsText } from '../upload/file-facts.ts'

/** The count of skipped rows, only if matching rows are skipped. */
export const skippedCount = (label: string, { duplicates }: Import, count: number): Count[] =>
  duplicates === 'skip' ? [{ label, count }] : []

/** What the import does with matching rows. */
function effectOf({ duplicates }: Import, matches: number): string {
  const isOne = matches === 1
  if (duplicates === 'skip') return isOne ? 'and is skipped' : 'and are skipped'
  if (duplicates === 'update') return isOne ? 'and updates it' : 'and update them'
  return isOne ? 'and creates another one' : 'and create others'
}

const SHOWN = 20

export function SkippedRows({ file }: { file: Import }) {
  const { skippedRows, objectId, progress } = file
  if (skippedRows.length === 0) return null
  const shown = skippedRows.slice(0, SHOWN)
  const more = progress.skipped - shown.length
  return (
    <StepTable title="Skipped rows" maxHeight={240}>
      <Stack component="ul" gap={6} p={12}>
        {shown.map(({ line, recordId }) => (
          <li key={line} className="row wrap gap-6 small">
            <span>Line {formatCount(line)} matches</span>
            <RecordChip objectId={objectId} recordId={recordId} />
          </li>
        ))}
        {more > 0 && <li className="muted small">And {counted(more, 'more row', 'more rows')}.</li>}
      </Stack>
    </StepTable>
  )
}

/** The result of the check, before anything is written. */
export function MatchedRows({ file, check: { matches } }: { file: Import; check: CheckResult }) {
  const { object } = useImportPage()
  if (matches === null || matches === 0) return null
  const one = object.singularName.toLowerCase()
  const many = object.pluralName.toLowerCase()
  return (
    <>
      <p className="row gap-6 small">
        <Equal className="muted" size={14} aria-hidden />
        <span className="breakable">
          {rowsText(matches)} {matches === 1 ? `matches a ${one} that exists` : `match ${many} that exist`},{' '}
          {effectOf(file, matches)}.
        </span>
      </p>
      <SkippedRows file={file} />
    </>
  )
}
