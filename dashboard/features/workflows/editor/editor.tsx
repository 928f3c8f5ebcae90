// The editor of a workflow: toolbar, steps, and the form of the selected step.
import { useMediaQuery } from '@mantine/hooks'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { objectsQuery } from '../../../shared/api/objects.ts'
import { VersionConflict } from '../../../shared/editing/version-conflict.tsx'
import { LeaveGuard } from '../../../shared/leave-guard.tsx'
import { useOrg } from '../../../shared/use-organization.ts'
import { Page } from '../../../ui/page.tsx'
import { definitionQuery } from '../api/workflows.ts'
import { StepPane } from '../canvas/step-pane.tsx'
import { difference } from './difference.ts'
import { DifferenceView } from './difference-view.tsx'
import { EditorActions } from './editor-actions.tsx'
import { EditorContext, type Editor as EditorState, useEditor } from './editor-context.ts'
import { EditorNotes } from './editor-notes.tsx'
import { EditorPicture } from './editor-picture.tsx'
import { StepPanel } from './step-panel.tsx'
import { TestDialog } from './test-dialog.tsx'
import { Toolbar } from './toolbar.tsx'
import { type EditorStart, useEditorState } from './use-editor.ts'
import { useKeys } from './use-keys.ts'
import { Versions } from './versions.tsx'

interface ConflictDialogProps {
  workflowId: string
  /** The version that another person saved. */
  version: number
}

/** Another person has saved the workflow since it was opened: shows the differences, and asks which version to keep. */
function ConflictDialog({ workflowId, version }: ConflictDialogProps) {
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

/** In a narrower window, the form opens above the steps. */
const SIDE_BY_SIDE = '(min-width: 64em)'

function Body({ view, isSideBySide }: { view: 'canvas' | 'list'; isSideBySide: boolean }) {
  const { isPanelOpen, closePanel } = useEditor()
  const { data: objects } = useSuspenseQuery(objectsQuery(useOrg()))
  return (
    <div className="flex rest">
      <div className="stack fill">
        <EditorPicture view={view} objects={objects} isSideBySide={isSideBySide} />
      </div>
      <StepPane isSideBySide={isSideBySide} isOpen={isPanelOpen} onClose={closePanel}>
        <StepPanel />
      </StepPane>
    </div>
  )
}

type Above = 'test' | 'versions' | undefined

function Dialogs({
  workflowId,
  above,
  onClose,
}: {
  workflowId: string | undefined
  above: Above
  onClose(): void
}) {
  const { saving, isChanged } = useEditor()
  return (
    <>
      {above === 'test' && <TestDialog workflowId={workflowId} onClose={onClose} />}
      {above === 'versions' && workflowId !== undefined && (
        <Versions workflowId={workflowId} onClose={onClose} />
      )}
      {saving.conflict !== undefined && workflowId !== undefined && (
        <ConflictDialog workflowId={workflowId} version={saving.conflict} />
      )}
      <LeaveGuard isChanged={isChanged} isBusy={saving.isBusy} save={() => saving.save()} />
    </>
  )
}

function Parts({ workflowId }: { workflowId: string | undefined }) {
  const isSmall = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false })
  const isSideBySide = useMediaQuery(SIDE_BY_SIDE, true, { getInitialValueInEffect: false })
  const [chosen, setChosen] = useState<'canvas' | 'list'>()
  const [above, setAbove] = useState<Above>()
  const view = chosen ?? (isSmall ? 'list' : 'canvas')
  return (
    <div className="stack rest">
      <Toolbar
        view={view}
        onView={setChosen}
        onTest={() => setAbove('test')}
        onVersions={workflowId === undefined ? undefined : () => setAbove('versions')}
      />
      <EditorNotes />
      <Body view={view} isSideBySide={isSideBySide} />
      <Dialogs workflowId={workflowId} above={above} onClose={() => setAbove(undefined)} />
    </div>
  )
}

interface EditorProps extends EditorStart {
  title: string
  heading(editor: EditorState): ReactNode
}

export function Editor({ title, heading, ...start }: EditorProps) {
  const editor = useEditorState(start)
  useKeys(editor)
  return (
    <EditorContext value={editor}>
      <Page title={title} width="full" heading={heading(editor)} actions={<EditorActions />}>
        <Parts workflowId={start.workflow?.id} />
      </Page>
    </EditorContext>
  )
}
