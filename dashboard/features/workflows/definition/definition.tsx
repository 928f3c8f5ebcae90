// The definition of a workflow: a picture in a wide window, a list in a narrow one, or as the user chooses.
import { Box, SegmentedControl } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { objectsQuery } from '../../../shared/api/objects.ts'
import { useOrg } from '../../../shared/use-organization.ts'
import type { WorkflowDefinition } from '../api/workflows.ts'
import { Canvas } from '../canvas/canvas.tsx'
import type { CanvasParts } from '../canvas/canvas-context.ts'
import { layoutOf } from '../canvas/layout.ts'
import { nodeWords } from '../canvas/node-words.ts'
import { StepListView } from '../canvas/step-list.tsx'
import { namesOf } from '../node-names.ts'

const VIEWS = [
  { value: 'canvas', label: 'Canvas' },
  { value: 'list', label: 'List' },
]

const OVER_THE_PICTURE = { pos: 'absolute', top: 12, right: 12, style: { zIndex: 6 } } as const

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
    <Box className="stack fill wide relative" h="100%" mih={0}>
      <SegmentedControl
        {...(isSmall ? { m: '12px 16px 0' } : OVER_THE_PICTURE)}
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
    </Box>
  )
}
