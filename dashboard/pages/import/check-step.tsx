// Step 3: what the import would do, before anything is written.
import { Button } from '@mantine/core'
import type { CheckResult } from '../../../contract/imports.ts'
import { messageOf } from '../../api/errors.ts'
import { cancelImport, type Import, runImport } from '../../api/imports.ts'
import { Counts } from './counts.tsx'
import { rowsText } from './file-facts.ts'
import classes from './import.module.css'
import { ImportProgress } from './import-progress.tsx'
import { Problems } from './problems.tsx'
import { StepSection } from './step-list.tsx'
import { useAction } from './use-action.ts'
import { useImportPage } from './use-import-page.ts'

function Checking({ file }: { file: Import }) {
  const cancel = useAction((org) => cancelImport(org, file.id))
  return (
    <StepSection title="Checking the file" lead="Every row is tried and nothing is written.">
      <ImportProgress file={file} verb="Checking" />
      <div className={classes.footer}>
        <p className={classes.reason} role="status" data-bad={cancel.isError || undefined}>
          {cancel.error ? messageOf(cancel.error) : 'You can leave this page: the check goes on.'}
        </p>
        <Button variant="default" loading={cancel.isPending} onClick={() => cancel.mutate()}>
          Cancel check
        </Button>
      </div>
    </StepSection>
  )
}

function leadOf({ creates, updates, errors }: CheckResult): string {
  if (creates + updates === 0) return 'No row can be imported as it is.'
  if (errors === 0) return 'Every row can be imported.'
  return 'Rows with errors are left out; you can download them afterwards, mend them and import them again.'
}

function Footer({ file, check }: { file: Import; check: CheckResult }) {
  const { open } = useImportPage()
  const run = useAction((org) => runImport(org, file.id))
  const good = check.creates + check.updates
  return (
    <div className={classes.footer}>
      <p className={classes.reason} role="status" data-bad={run.isError || undefined}>
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
  return (
    <StepSection title="What the import would do" lead={leadOf(check)}>
      <Counts
        counts={[
          { label: 'Creates', count: check.creates },
          { label: 'Updates', count: check.updates },
          { label: 'Errors', count: check.errors, tone: 'bad' },
        ]}
      />
      <Problems check={check} />
      <Footer file={file} check={check} />
    </StepSection>
  )
}

export function CheckStep({ file }: { file: Import }) {
  return file.check && file.state === 'checked' ? (
    <Checked file={file} check={file.check} />
  ) : (
    <Checking file={file} />
  )
}
