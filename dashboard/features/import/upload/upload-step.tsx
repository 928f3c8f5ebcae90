// Step 1: chooses a file or an earlier import.
import { Alert } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { CirclePause } from 'lucide-react'
import { importsQuery } from '../api.ts'
import { StepSection } from '../page/step-list.tsx'
import { useImportPage } from '../page/use-import-page.ts'
import { DropZone } from './drop-zone.tsx'
import { RecentImports } from './recent-imports.tsx'
import { useUpload } from './use-upload.ts'

function Inactive({ name }: { name: string }) {
  return (
    <Alert icon={<CirclePause size={16} aria-hidden />} color="gray" title={`${name} is inactive`}>
      Nothing can be imported into it. An admin can activate it in the settings.
    </Alert>
  )
}

export function UploadStep() {
  const { org, object, search } = useImportPage()
  const { data } = useSuspenseQuery(importsQuery(org, object.slug))
  const upload = useUpload(data.maxBytes)
  return (
    <StepSection
      title={search.like === undefined ? 'Choose a CSV file' : 'Choose the corrected file'}
      lead={
        search.like === undefined
          ? 'Its first row names the columns. You review the result before anything is imported.'
          : 'Its columns are mapped as before. The columns “line” and “error” are left out.'
      }
    >
      {object.isActive ? (
        <DropZone upload={upload} maxBytes={data.maxBytes} />
      ) : (
        <Inactive name={object.pluralName} />
      )}
      <RecentImports imports={data.imports} />
    </StepSection>
  )
}
