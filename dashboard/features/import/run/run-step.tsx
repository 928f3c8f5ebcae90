// Step 4: shows the progress of the import, which runs on the server.
import { Button } from '@mantine/core'
import { useState } from 'react'
import { ConfirmDialog } from '../../../shared/confirm-dialog.tsx'
import { cancelImport, type Import } from '../api.ts'
import classes from '../page/import.module.css'
import { StepSection } from '../page/step-list.tsx'
import { useAction } from '../page/use-action.ts'
import { Counts } from './counts.tsx'
import { ImportProgress } from './import-progress.tsx'
import { doneOf } from './progress.ts'

function CancelDialog({ file, onClose }: { file: Import; onClose(): void }) {
  const cancel = useAction((org) => cancelImport(org, file.id))
  return (
    <ConfirmDialog
      title="Cancel this import"
      confirm="Cancel import"
      onConfirm={() => cancel.mutateAsync()}
      onClose={onClose}
    >
      {doneOf(file)} are done: their records stay. The others are not imported.
    </ConfirmDialog>
  )
}

export function RunStep({ file }: { file: Import }) {
  const [isCancelling, setCancelling] = useState(false)
  const { created, updated, failed } = file.progress
  return (
    <StepSection title="Importing" lead={file.fileName}>
      <ImportProgress file={file} verb="Importing" />
      <Counts
        counts={[
          { label: 'Created', count: created },
          { label: 'Updated', count: updated },
          { label: 'Failed', count: failed, tone: 'bad' },
        ]}
      />
      <div className={classes.footer}>
        <p className="muted small">
          You can leave this page: the import goes on. Come back to see its progress.
        </p>
        <Button variant="default" onClick={() => setCancelling(true)}>
          Cancel import
        </Button>
      </div>
      {isCancelling && <CancelDialog file={file} onClose={() => setCancelling(false)} />}
    </StepSection>
  )
}
