// Another person has saved the workflow since it was opened: shows the differences, and asks which version to keep.
import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { ErrorState } from '../../../shared/state.tsx'
import { useOrg } from '../../../shared/use-organization.ts'
import { type Choice, ConflictChoice } from '../../../ui/conflict-choice.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { PartPending } from '../../../ui/page-pending.tsx'
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
  const decide = (choice: Choice) => {
    if (choice === 'mine') void saving.save(version)
    else if (data) saving.adopt(version, data.definition)
  }
  const author = data?.createdBy?.name
  const title = author ? `${author} changed this workflow` : 'This workflow was changed by someone else'
  return (
    <Dialog onClose={saving.forget} title={title} size="lg">
      <Stack gap="md">
        <div>Version {version} was saved while you edited. Your version would change in it:</div>
        {data && <DifferenceView difference={difference(data.definition, definition)} />}
        {!data && (error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <PartPending />)}
        {data && <ConflictChoice decide={decide} />}
      </Stack>
    </Dialog>
  )
}
