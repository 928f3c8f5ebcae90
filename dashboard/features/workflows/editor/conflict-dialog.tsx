// Another person has saved the workflow since it was opened: shows the differences, and asks which version to keep.
import { useQuery } from '@tanstack/react-query'
import { VersionConflict } from '../../../shared/editing/version-conflict.tsx'
import { useOrg } from '../../../shared/use-organization.ts'
import { definitionQuery } from '../api/workflows.ts'
import { difference } from './difference.ts'
import { DifferenceView } from './difference-view.tsx'
import { useEditor } from './editor-context.ts'

interface ConflictDialogProps {
  workflowId: string
  /** The version that another person saved. */
  version: number
}

export function ConflictDialog({ workflowId, version }: ConflictDialogProps) {
  const { definition, saving } = useEditor()
  const { data, error, refetch } = useQuery(definitionQuery(useOrg(), workflowId, version))
  const author = data?.createdBy?.name
  return (
    <VersionConflict
      title={author ? `${author} changed this workflow` : 'This workflow was changed by someone else'}
      size="lg"
      saving={saving}
      theirs={data && { definition: data.definition, version }}
      error={error}
      onRetry={() => void refetch()}
    >
      <div>Version {version} was saved while you edited. Your version would change in it:</div>
      {data && <DifferenceView difference={difference(data.definition, definition)} />}
    </VersionConflict>
  )
}
