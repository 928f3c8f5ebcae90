// Step 3: what the import would do, before anything is written.
import { Button } from '@mantine/core'
import type { CheckResult } from '../../../../contract/imports.ts'
import { messageOf } from '../../../shared/api/errors.ts'
import { cancelImport, type Import, isBusy, runImport } from '../api.ts'
import { RelatedRecords } from '../map/related-records.tsx'
import classes from '../page/import.module.css'
import { StepSection } from '../page/step-list.tsx'
import { useAction } from '../page/use-action.ts'
import { useImportPage } from '../page/use-import-page.ts'
import { Counts } from '../run/counts.tsx'
import { ImportProgress } from '../run/import-progress.tsx'
import { useNoteOnEnd } from '../run/use-note-on-end.ts'
import { rowsText } from '../upload/file-facts.ts'
import { MatchedRows, skippedCount } from './matched-rows.tsx'
import { ProblemChoices } from './problem-choices.tsx'
import { Problems } from './problems.tsx'
import { ReplacementList } from './replacement-list.tsx'
import { useFocusAfter, useShownCheck } from './use-check-again.ts'

function CheckProgress({ file }: { file: Import }) {
  const cancel = useAction((org) => cancelImport(org, file.id))
  return (
    <>
      <ImportProgress file={file} verb="Checking" />
      <div className={classes.footer}>
        <p className={`small ${cancel.isError ? 'danger' : 'muted'}`} role="status">
          {cancel.error ? messageOf(cancel.error) : 'You can leave this page: the check goes on.'}
        </p>
        <Button variant="default" loading={cancel.isPending} onClick={() => cancel.mutate()}>
          Cancel check
        </Button>
      </div>
    </>
  )
}

const Checking = ({ file }: { file: Import }) => (
  <StepSection title="Checking the file" lead="Every row is checked; nothing is imported yet.">
    <CheckProgress file={file} />
  </StepSection>
)

function leadOf({ creates, updates, errors, skips }: CheckResult): string {
  if (creates + updates === 0 && skips > 0 && errors === 0) return 'Every row matches a record.'
  if (creates + updates === 0) return 'No row can be imported yet.'
  if (errors === 0) return skips > 0 ? 'Every other row can be imported.' : 'Every row can be imported.'
  return 'Rows with errors are left out, unless you choose otherwise below. Afterwards you can download them, correct them and import them again.'
}

function Footer({ file, check }: { file: Import; check: CheckResult }) {
  const { open } = useImportPage()
  const run = useAction((org) => runImport(org, file.id), useNoteOnEnd())
  const good = check.creates + check.updates
  return (
    <div className={classes.footer}>
      <p className={`small ${run.isError ? 'danger' : 'muted'}`} role="status">
        {run.error ? messageOf(run.error) : null}
      </p>
      <Button variant="default" onClick={() => open({ import: file.id, step: 'map' })}>
        Back to mapping
      </Button>
      <Button loading={run.isPending} disabled={good === 0} onClick={() => run.mutate()}>
        Import {rowsText(good)}
      </Button>
    </div>
  )
}

function Checked({ file, check }: { file: Import; check: CheckResult }) {
  const isChecking = isBusy(file)
  useFocusAfter(isChecking)
  return (
    <StepSection title="What the import would do" lead={leadOf(check)}>
      <Counts
        counts={[
          { label: 'Creates', count: check.creates },
          { label: 'Updates', count: check.updates },
          ...skippedCount('Skips', file, check.skips),
          { label: 'Errors', count: check.errors, tone: 'bad' },
        ]}
      />
      <MatchedRows file={file} check={check} />
      <RelatedRecords related={check.related} />
      <ProblemChoices file={file} check={check} isChecking={isChecking} />
      <ReplacementList file={file} check={check} isChecking={isChecking} />
      <Problems file={file} check={check} isChecking={isChecking} />
      {isChecking ? <CheckProgress file={file} /> : <Footer file={file} check={check} />}
    </StepSection>
  )
}

export function CheckStep({ file }: { file: Import }) {
  const check = useShownCheck(file)
  return check ? <Checked file={file} check={check} /> : <Checking file={file} />
}
