// Notes between toolbar and steps: why the workflow was not saved, and the result of the last test.
import { Anchor, Group } from '@mantine/core'
import type { ReactNode } from 'react'
import { counted } from '../../../../contract/counted.ts'
import { EditingNote, RestoredNote, SaveRefusal } from '../../../shared/editing/editing-bar.tsx'
import { ToneChip } from '../../../ui/tone-chip.tsx'
import { plainTemplates } from '../canvas/value-words.ts'
import { RUN_WORDS } from '../run-words.ts'
import { useEditor } from './editor-context.ts'

function Refusal() {
  const { saving, showProblems } = useEditor()
  return (
    <SaveRefusal saving={saving}>
      {saving.isEnabled
        ? 'Not saved: a workflow that is on must have no problems. Fix them, or switch it off first.'
        : 'Not saved: it has problems.'}{' '}
      <Anchor component="button" type="button" inherit onClick={() => showProblems(true)}>
        Show the problems
      </Anchor>
    </SaveRefusal>
  )
}

const ENDS = {
  completed: { ...RUN_WORDS.completed, word: 'Test completed' },
  failed: { ...RUN_WORDS.failed, word: 'Test failed' },
  incomplete: { ...RUN_WORDS.cancelled, word: 'Test not finished' },
} as const

function TestNote(): ReactNode {
  const { testing } = useEditor()
  const { result, isFresh, forget } = testing
  if (!result) return null
  const { status, error, steps } = result.answer
  return (
    <EditingNote role="status" close="Close the test" onClose={forget}>
      <Group gap="4px 10px">
        <ToneChip {...ENDS[status]} />
        <span>
          {error === null
            ? `${counted(steps.length, 'step')}; nothing was saved or sent.`
            : plainTemplates(error)}
        </span>
        {!isFresh && <span className="muted small">Before the last change.</span>}
      </Group>
    </EditingNote>
  )
}

export function EditorNotes() {
  const { isRestored, discard } = useEditor()
  return (
    <>
      {isRestored && <RestoredNote onDiscard={discard} />}
      <Refusal />
      <TestNote />
    </>
  )
}
