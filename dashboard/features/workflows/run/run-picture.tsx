// The canvas with the states of a run, and next to it the selected step.
import { useMediaQuery } from '@mantine/hooks'
import type { WorkflowRunDetail } from '../api/workflow-runs.ts'
import type { WorkflowDefinition } from '../api/workflows.ts'
import type { NodeLook } from '../canvas/canvas-context.ts'
import { type CanvasNode, TRIGGER_ID } from '../canvas/layout.ts'
import { StepPane } from '../canvas/step-pane.tsx'
import { Definition } from '../definition/definition.tsx'
import { STEP_WORDS } from '../run-words.ts'
import { NodeNote } from './node-note.tsx'
import { type Items, pathOf, stepState, type Trail } from './run-steps.ts'
import { StepPanel } from './step-panel.tsx'
import { useLookedAt } from './use-looked-at.ts'

/** In a narrower window, the step opens above the picture. */
const SIDE_BY_SIDE = '(min-width: 64em)'

interface Props {
  run: WorkflowRunDetail
  trail: Trail
  definition: WorkflowDefinition
}

function lookOf(node: CanvasNode, { run, trail }: Props, items: Items): NodeLook {
  if (node.kind !== 'step') return {}
  const path = pathOf(node.runPath, trail, items)
  const line = trail.stepAt(path)
  const state = stepState(line, run.status)
  if (state === undefined) return {}
  const count = node.step?.type === 'for_each' ? trail.itemsOf(path).length : undefined
  return {
    tone: STEP_WORDS[state].tone,
    isDimmed: state === 'missed' || state === 'skipped',
    note: <NodeNote state={state} line={line} items={count} />,
  }
}

export function RunPicture(props: Props) {
  const { run, trail, definition } = props
  const looked = useLookedAt(run, trail, definition)
  const isSideBySide = useMediaQuery(SIDE_BY_SIDE, true, { getInitialValueInEffect: false })
  return (
    <div className="flex rest">
      <Definition
        definition={definition}
        selected={isSideBySide || looked.isChosen ? (looked.node?.id ?? TRIGGER_ID) : undefined}
        onSelect={looked.select}
        lookOf={(node) => lookOf(node, props, looked.items)}
      />
      <StepPane isSideBySide={isSideBySide} isOpen={looked.isChosen} onClose={() => looked.go(undefined)}>
        <StepPanel run={run} trail={trail} looked={looked} />
      </StepPane>
    </div>
  )
}
