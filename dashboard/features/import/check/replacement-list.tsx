// The values that are replaced in all rows, each with Undo, and the number of rows that still have errors.
import { Box, Button } from '@mantine/core'
import { Undo2 } from 'lucide-react'
import { counted } from '../../../../contract/counted.ts'
import type { CheckResult, Replacement } from '../../../../contract/imports.ts'
import { messageOf } from '../../../shared/api/errors.ts'
import { held } from '../../../ui/held.ts'
import type { Import } from '../api.ts'
import { without } from './replacements.ts'
import { useCheckAgain } from './use-check-again.ts'

const shown = (text: string | null) => (text === null || text === '' ? 'empty' : `“${text}”`)

interface OneProps {
  file: Import
  one: Replacement
  isChecking: boolean
}

function One({ file, one, isChecking }: OneProps) {
  const undo = useCheckAgain(file)
  const header = file.columns[one.index]?.header ?? ''
  const text = `${shown(one.value)} becomes ${shown(one.with)}`
  const isIdle = !isChecking && !undo.isPending
  return (
    <Box component="li" className="row between gap-12 small" px={12} py={6}>
      <span className="breakable">
        <span className="medium plain">{header}</span>: {text}
        {undo.error && (
          <span role="alert" className="breakable danger small">
            {' '}
            {messageOf(undo.error)}
          </span>
        )}
      </span>
      <Button
        variant="default"
        size="compact-sm"
        flex="none"
        leftSection={<Undo2 size={14} aria-hidden />}
        aria-label={`Undo: ${header}, ${text}`}
        {...held(!isIdle, () => undo.mutate({ replacements: without(file.replacements, one) }))}
      >
        Undo
      </Button>
    </Box>
  )
}

interface ReplacementListProps {
  file: Import
  check: CheckResult
  isChecking: boolean
}

function statusOf({ file, check, isChecking }: ReplacementListProps): string {
  if (isChecking) return 'Checking again with your choice.'
  const hasChoices =
    file.replacements.length > 0 || file.mapping?.some(({ onProblem }) => onProblem === 'skip')
  if (!hasChoices) return ''
  return check.errors === 0
    ? 'No errors left.'
    : `${counted(check.errors, 'row still has errors', 'rows still have errors')}.`
}

export function ReplacementList(props: ReplacementListProps) {
  const { file, isChecking } = props
  const hasSome = file.replacements.length > 0
  const status = statusOf(props)
  return (
    // Rendered even while empty, but hidden: screen readers only announce changes of an existing status element.
    <div className={hasSome || status !== '' ? undefined : 'visually-hidden'}>
      {hasSome && <h3>Replaced in all rows</h3>}
      {hasSome && (
        <Box
          component="ul"
          className="bordered rounded divided scroll"
          mah={240}
          my={8}
          aria-label="Replaced in all rows"
        >
          {file.replacements.map((one) => (
            <One key={`${one.index} ${one.value}`} file={file} one={one} isChecking={isChecking} />
          ))}
        </Box>
      )}
      <p role="status" className="muted small">
        {status}
      </p>
    </div>
  )
}
