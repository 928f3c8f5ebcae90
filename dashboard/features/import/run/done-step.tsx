// Step 5: the result, and links to the next actions.
import { Alert, Box, Button, Group } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { CircleX, Download } from 'lucide-react'
import { useState } from 'react'
import { counted } from '../../../../contract/counted.ts'
import { recordPaths } from '../../../shared/paths.ts'
import { failedRowsUrl, type Import } from '../api.ts'
import { SkippedRows, skippedCount } from '../check/matched-rows.tsx'
import { RelatedRecords } from '../map/related-records.tsx'
import classes from '../page/import.module.css'
import { StepSection } from '../page/step-list.tsx'
import { useImportPage } from '../page/use-import-page.ts'
import { Counts } from './counts.tsx'
import { doneOf } from './progress.ts'
import { UndoImportDialog } from './undo-import.tsx'

/** The check failed, so nothing was written. */
const neverRan = ({ state, check }: Import) => state === 'failed' && check === null

function titleOf(file: Import): string {
  if (file.undo === 'undone') return 'Import undone'
  if (file.state === 'completed') return 'Import completed'
  if (file.state === 'cancelled') return 'Import cancelled'
  return neverRan(file) ? 'The check failed' : 'Import failed'
}

function leadOf(file: Import): string {
  if (file.undo === 'undone') return `${file.fileName}. The numbers say what the import had done.`
  if (file.state === 'completed') return file.fileName
  if (neverRan(file)) return 'Nothing was imported.'
  return `${doneOf(file)} of ${file.fileName} were processed. What was imported stays.`
}

function FailedRows({ file }: { file: Import }) {
  const { org, open } = useImportPage()
  const { failed } = file.progress
  if (failed === 0 || neverRan(file)) return null
  if (!file.hasFile)
    return <p className="muted small">The failed rows were removed 7 days after the upload.</p>
  return (
    <div>
      <Box component="p" mb={12} maw="72ch">
        {counted(failed, 'row was', 'rows were')} left out. Download what failed with the error of each row,
        fix it, and import the file again: its columns are mapped as before.
      </Box>
      <Group gap={8}>
        <Button
          variant="default"
          component="a"
          href={failedRowsUrl(org, file.id)}
          download
          leftSection={<Download size={14} aria-hidden />}
        >
          Download {counted(failed, 'failed row', 'failed rows')}
        </Button>
        <Button variant="default" onClick={() => open({ like: file.id })}>
          Import the corrected file
        </Button>
      </Group>
    </div>
  )
}

function Outcome({ file }: { file: Import }) {
  if (neverRan(file)) return null
  const { created, updated, failed, skipped } = file.progress
  return (
    <Counts
      counts={[
        { label: 'Created', count: created },
        { label: 'Updated', count: updated },
        ...skippedCount('Skipped', file, skipped),
        { label: 'Failed', count: failed, tone: 'bad' },
      ]}
    />
  )
}

function UndoImport({ file }: { file: Import }) {
  const [isAsking, setAsking] = useState(false)
  if (file.undo !== 'possible') return null
  return (
    <>
      <Button variant="default" onClick={() => setAsking(true)}>
        Undo import
      </Button>
      {isAsking && <UndoImportDialog file={file} onClose={() => setAsking(false)} />}
    </>
  )
}

export function DoneStep({ file }: { file: Import }) {
  const { org, object, open } = useImportPage()
  return (
    <StepSection title={titleOf(file)} lead={leadOf(file)}>
      {file.error !== null && (
        <Alert color="red" icon={<CircleX size={16} aria-hidden />} title="What went wrong">
          {file.error}
        </Alert>
      )}
      <Outcome file={file} />
      <SkippedRows file={file} />
      <RelatedRecords related={file.related} isDone />
      <FailedRows file={file} />
      <div className={classes.footer}>
        <Button variant="default" onClick={() => open({})}>
          Import another file
        </Button>
        <UndoImport file={file} />
        <Button component={Link} to={recordPaths.object(org, object.slug)}>
          Open {object.pluralName.toLowerCase()}
        </Button>
      </div>
    </StepSection>
  )
}
