// Between the toolbar and the steps: why it was not saved, and how the last test went.
import { Anchor, CloseButton } from '@mantine/core'
import type { ReactNode } from 'react'
import { ApiError, hasCode, messageOf } from '../../../../shared/api/errors.ts'
import { counted } from '../../../../ui/counted.ts'
import { ToneChip } from '../../../../ui/tone-chip.tsx'
import { RUN_WORDS } from '../../run-words.ts'
import classes from './editor.module.css'
import { useEditor } from './editor-context.ts'

function Refusal() {
  const { saving, showProblems } = useEditor()
  const { error, forget, isEnabled } = saving
  if (error === undefined || hasCode(error, 'name_taken')) return null
  const hasProblems = error instanceof ApiError && error.problems.length > 0
  return (
    <div className={classes.refusal} role="alert">
      <span>
        {hasProblems
          ? `Not saved: ${isEnabled ? 'a workflow that is on must have no problems. Fix them, or switch it off first.' : 'it has problems.'}`
          : messageOf(error)}{' '}
        {hasProblems && (
          <Anchor component="button" type="button" inherit onClick={() => showProblems(true)}>
            Show the problems
          </Anchor>
        )}
      </span>
      <CloseButton size="sm" aria-label="Dismiss" onClick={forget} />
    </div>
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
  const { word, tone, icon } = ENDS[status]
  return (
    <div className={classes.testNote}>
      <span role="status" className={classes.testWords}>
        <ToneChip tone={tone} icon={icon}>
          {word}
        </ToneChip>
        <span>{error ?? `${counted(steps.length, 'step')}; nothing was saved or sent.`}</span>
        {!isFresh && <span className="muted small flush">Before the last change.</span>}
      </span>
      <CloseButton size="sm" aria-label="Close the test" onClick={forget} />
    </div>
  )
}

export function EditorNotes() {
  return (
    <>
      <Refusal />
      <TestNote />
    </>
  )
}
