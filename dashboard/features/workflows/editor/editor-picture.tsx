// The editable steps: a picture in a wide window, else a list.

import { TriangleAlert } from 'lucide-react'
import { useMemo } from 'react'
import { counted } from '../../../../contract/counted.ts'
import type { Problem } from '../../../../contract/errors.ts'
import { capitalized } from '../../../shared/api/errors.ts'
import type { CrmObject } from '../../../shared/api/objects.ts'
import { Canvas } from '../canvas/canvas.tsx'
import type { CanvasParts, NodeLook } from '../canvas/canvas-context.ts'
import { type CanvasNode, layoutOf, TRIGGER_ID } from '../canvas/layout.ts'
import { nodeWords } from '../canvas/node-words.ts'
import { StepListView } from '../canvas/step-list.tsx'
import { namesOf } from '../node-names.ts'
import { NodeNote } from '../run/node-note.tsx'
import { STEP_WORDS } from '../run-words.ts'
import { AddStep } from './add-step.tsx'
import { type Editor, useEditor } from './editor-context.ts'
import { StepMenu } from './step-menu.tsx'
import { tellingLine, timesOf } from './test-results.ts'

function ProblemMark({ problems }: { problems: readonly Problem[] }) {
  const text = problems.map(({ message }) => capitalized(message)).join('\n')
  return (
    <span className="inline danger" title={text}>
      <TriangleAlert size={14} aria-hidden />
      <span className="visually-hidden">{counted(problems.length, 'problem')}</span>
    </span>
  )
}

/** Problems of a node have priority over its test result. */
function lookOf({ problemsAt, testing }: Editor, { id, kind, step }: CanvasNode): NodeLook {
  const problems = problemsAt.get(id)
  if (problems && (kind === 'step' || kind === 'trigger'))
    return { tone: 'danger', note: <ProblemMark problems={problems} /> }
  if (!step || kind !== 'step' || !testing.result || !testing.isFresh) return {}
  const line = tellingLine(testing.result, step.key)
  const state = line?.status ?? 'missed'
  const times = timesOf(testing.result, step.key)
  return {
    tone: STEP_WORDS[state].tone,
    note: <NodeNote state={state} line={line} items={times > 1 ? times : undefined} />,
    isDimmed: state === 'missed' || state === 'skipped',
  }
}

function useParts(objects: readonly CrmObject[], isSideBySide: boolean): CanvasParts {
  const editor = useEditor()
  const { definition, selected, isPanelOpen } = editor
  const wordsOf = useMemo(() => nodeWords(definition, namesOf(objects)), [definition, objects])
  return {
    wordsOf,
    selected: isSideBySide || isPanelOpen ? (selected ?? TRIGGER_ID) : selected,
    onSelect: (id) => {
      editor.select(id === TRIGGER_ID ? undefined : id)
      if (!isSideBySide) editor.openPanel()
    },
    lookOf: (node) => lookOf(editor, node),
    plusAt: (location) => <AddStep location={location} />,
    menuOf: ({ id, kind }) => (kind === 'step' ? <StepMenu path={id} /> : null),
  }
}

interface EditorPictureProps {
  view: 'canvas' | 'list'
  objects: readonly CrmObject[]
  /** Whether the form of the selection is next to the picture. */
  isSideBySide: boolean
}

export function EditorPicture({ view, objects, isSideBySide }: EditorPictureProps) {
  const { definition } = useEditor()
  const parts = useParts(objects, isSideBySide)
  const layout = useMemo(() => layoutOf(definition), [definition])
  if (view === 'list') return <StepListView label="Steps" definition={definition} {...parts} />
  return <Canvas label="Steps" layout={layout} {...parts} />
}
