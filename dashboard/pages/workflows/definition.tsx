// What a workflow does: as a picture where there is room, as a list where there is not, or as one prefers.
import { SegmentedControl } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { objectsQuery } from '../../api/objects.ts'
import type { WorkflowDefinition } from '../../api/workflows.ts'
import { useOrg } from '../../components/use-organization.ts'
import { Canvas } from '../../components/workflows/canvas/canvas.tsx'
import type { CanvasParts } from '../../components/workflows/canvas/canvas-context.ts'
import { layoutOf } from '../../components/workflows/canvas/layout.ts'
import { namesOf } from '../../components/workflows/canvas/names.ts'
import { nodeWords } from '../../components/workflows/canvas/node-words.ts'
import { StepListView } from '../../components/workflows/canvas/step-list.tsx'
import classes from './workflow.module.css'

const VIEWS = [
  { value: 'canvas', label: 'Canvas' },
  { value: 'list', label: 'List' },
]

interface DefinitionProps extends Pick<CanvasParts, 'selected' | 'onSelect' | 'lookOf'> {
  definition: WorkflowDefinition
}

export function Definition({ definition, ...parts }: DefinitionProps) {
  const { data: objects } = useSuspenseQuery(objectsQuery(useOrg()))
  const isSmall = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false })
  const [chosen, setChosen] = useState<string>()
  const layout = useMemo(() => layoutOf(definition), [definition])
  const wordsOf = useMemo(() => nodeWords(definition, namesOf(objects)), [definition, objects])
  const view = chosen ?? (isSmall ? 'list' : 'canvas')
  return (
    <div className={classes.definition}>
      <SegmentedControl
        className={classes.views}
        aria-label="Show as"
        data={VIEWS}
        value={view}
        onChange={setChosen}
      />
      {view === 'canvas' ? (
        <Canvas label="Steps" layout={layout} wordsOf={wordsOf} {...parts} />
      ) : (
        <StepListView label="Steps" definition={definition} wordsOf={wordsOf} {...parts} />
      )}
    </div>
  )
}
