// Import of a CSV file: upload, map, check, run, done. The address holds the import, so that reload and link keep the place.
import { Anchor } from '@mantine/core'
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { Link, notFound } from '@tanstack/react-router'
import { ChevronRight } from 'lucide-react'
import { type RefObject, useEffect, useRef } from 'react'
import { recordsKey } from '../../shared/api/records.ts'
import { recordPaths } from '../../shared/paths.ts'
import { Page } from '../../ui/page.tsx'
import { type Import, importQuery, importsKey, isBusy } from './api.ts'
import { CheckStep } from './parts/check-step.tsx'
import { DoneStep } from './parts/done-step.tsx'
import classes from './parts/import.module.css'
import { MapStep } from './parts/map-step.tsx'
import { RunStep } from './parts/run-step.tsx'
import { StepList } from './parts/step-list.tsx'
import { UploadStep } from './parts/upload-step.tsx'
import { useImportPage } from './parts/use-import-page.ts'
import { type Step, stepOf } from './steps.ts'

/** What was shown of the object before is not what there is when an import has ended. */
function useRefreshAfter(file: Import): void {
  const { org, object } = useImportPage()
  const client = useQueryClient()
  const wasBusy = useRef(false)
  const busy = isBusy(file)
  useEffect(() => {
    if (wasBusy.current && !busy) {
      void client.invalidateQueries({ queryKey: recordsKey(org, object.slug) })
      void client.invalidateQueries({ queryKey: [...importsKey(org), 'of'] })
    }
    wasBusy.current = busy
  }, [busy, client, org, object.slug])
}

type Shown = RefObject<Step | undefined>

/** The heading of a step that has just come, so that the keyboard and the screen reader follow. */
function useFocusOn(step: Step, shown: Shown): void {
  useEffect(() => {
    if (shown.current !== undefined && shown.current !== step) document.getElementById('step')?.focus()
    shown.current = step
  }, [step, shown])
}

function StepView({ step, file }: { step: Step; file: Import | undefined }) {
  if (!file) return <UploadStep />
  if (step === 'map') return <MapStep key={file.id} file={file} />
  if (step === 'check') return <CheckStep key={file.id} file={file} />
  if (step === 'run') return <RunStep file={file} />
  return <DoneStep file={file} />
}

function Steps({ file, shown }: { file?: Import; shown: Shown }) {
  const { search } = useImportPage()
  const step = stepOf(file, search)
  useFocusOn(step, shown)
  return (
    <div className={classes.content}>
      <StepList current={step} />
      <StepView step={step} file={file} />
    </div>
  )
}

function OpenImport({ id, shown }: { id: string; shown: Shown }) {
  const { org, object } = useImportPage()
  const { data: file, failureCount } = useSuspenseQuery(importQuery(org, id))
  if (file.objectId !== object.id) throw notFound()
  useRefreshAfter(file)
  return (
    <>
      {failureCount > 0 && (
        <p className={classes.stale} role="status">
          The server cannot be reached. This page may be out of date; it keeps trying.
        </p>
      )}
      <Steps file={file} shown={shown} />
    </>
  )
}

function Heading() {
  const { org, object } = useImportPage()
  return (
    <nav aria-label="Breadcrumb" className={classes.breadcrumb}>
      <Anchor component={Link} to={recordPaths.object(org, object.slug)} className={classes.object}>
        {object.pluralName}
      </Anchor>
      <ChevronRight size={14} aria-hidden />
      <h1 className={classes.pageTitle}>Import</h1>
    </nav>
  )
}

export function ImportPage() {
  const { object, search } = useImportPage()
  // Above the steps, which come and go with the import.
  const shown = useRef<Step>(undefined)
  return (
    <Page title={`Import ${object.pluralName.toLowerCase()}`} heading={<Heading />} width="full">
      {search.import === undefined ? (
        <Steps shown={shown} />
      ) : (
        <OpenImport id={search.import} shown={shown} />
      )}
    </Page>
  )
}
