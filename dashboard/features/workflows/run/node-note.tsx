// The result of a step, at the end of its node.

import { counted } from '../../../../contract/counted.ts'
import type { RunStep } from '../api/workflow-runs.ts'
import { durationWords, STEP_WORDS, type StepState } from '../run-words.ts'

interface NodeNoteProps {
  state: StepState
  line: RunStep | undefined
  /** For a loop: the number of started items. */
  items: number | undefined
}

function detail({ line, items }: NodeNoteProps): string {
  if (items !== undefined && items > 0) return counted(items, 'item')
  if (!line) return ''
  if (line.attempts > 1) return `${line.attempts} attempts`
  return line.durationMs === null ? '' : durationWords(line.durationMs)
}

export function NodeNote(props: NodeNoteProps) {
  const { word, icon: Icon, tone } = STEP_WORDS[props.state]
  const text = detail(props)
  return (
    <>
      <span className={`inline ${tone === 'info' ? 'accent' : tone}`} title={word}>
        <Icon size={14} aria-hidden />
        <span className="visually-hidden">{word}</span>
      </span>
      {text && <span>{text}</span>}
    </>
  )
}
