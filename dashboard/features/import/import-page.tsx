// Import of a CSV file: upload, map, check, run, done. The address contains the import, so that reloads and links open
// the same step.
import { Box } from '@mantine/core'
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { notFound } from '@tanstack/react-router'
import { type RefObject, useEffect, useRef } from 'react'
import { recordsKey } from '../../shared/api/records.ts'
import { recordPaths } from '../../shared/paths.ts'
import { Crumbs } from '../../ui/crumbs.tsx'
import { Page } from '../../ui/page.tsx'
import { type Import, importQuery, importsKey, isBusy } from './api.ts'
import { CheckStep } from './check/check-step.tsx'
import { MapStep } from './map/map-step.tsx'
import { StepList } from './page/step-list.tsx'
import { useImportPage } from './page/use-import-page.ts'
import { DoneStep } from './run/done-step.tsx'
import { RunStep } from './run/run-step.tsx'
import { type Step, stepOf } from './steps.ts'
import { UploadStep } from './upload/upload-step.tsx'

/** Reloads the records and the list of imports when the import has ended. */
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

/** Moves the focus to the heading of a new step, for keyboards and screen readers. */
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
    <Box w="100%" maw={960} mx="auto" px={16} pt={24} pb={64}>
      <StepList current={step} />
      <StepView step={step} file={file} />
    </Box>
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
        <p className="small sunken strip" role="status">
          The server cannot be reached. This page may be out of date; it keeps trying.
        </p>
      )}
      <Steps file={file} shown={shown} />
    </>
  )
}

export function ImportPage() {
  const { org, object, search } = useImportPage()
  const way = [{ name: object.pluralName, to: recordPaths.object(org, object.slug) }]
  // Kept here, because opening an import mounts the steps again.
  const shown = useRef<Step>(undefined)
  return (
    <Page
      title={`Import ${object.pluralName.toLowerCase()}`}
      heading={<Crumbs way={way} here="Import" />}
      width="full"
    >
      {search.import === undefined ? (
        <Steps shown={shown} />
      ) : (
        <OpenImport id={search.import} shown={shown} />
      )}
    </Page>
  )
}
