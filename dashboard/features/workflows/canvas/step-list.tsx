// The workflow as a list, for small screens and screen readers.
import { Box } from '@mantine/core'
import type { WorkflowDefinition } from '../../../../contract/workflows.ts'
import classes from './canvas.module.css'
import { CanvasContext, type CanvasParts, useCanvas } from './canvas-context.ts'
import { type CanvasNode, isLast, NODE_SIZE, TRIGGER_ID } from './layout.ts'
import { type ChildList, childLists, rootList, type StepList } from './lists.ts'
import { NodeCard } from './node-card.tsx'

const PLACE = { x: 0, y: 0, ...NODE_SIZE }

function Inside({ list }: { list: ChildList }) {
  const hasPlus = useCanvas().plusAt !== undefined
  return (
    <li>
      <p className="tiny medium">{list.kind === 'loop' ? `For ${list.label}` : list.label}</p>
      {list.steps.length > 0 || hasPlus ? <Steps list={list} /> : <p className="muted tiny">Nothing</p>}
    </li>
  )
}

function Plus({ list, index }: { list: StepList; index: number }) {
  const { plusAt } = useCanvas()
  return plusAt ? <Box mb={8}>{plusAt({ list: list.path, index })}</Box> : null
}

function Steps({ list }: { list: StepList }) {
  const last = list.steps.at(-1)
  const hasEnd = useCanvas().plusAt !== undefined && !(last && isLast(last))
  return (
    <Box component="ol" className="stack gap-8" mt={8}>
      {list.steps.map((step, index) => {
        const [id, runPath] = [`${list.path}[${index}]`, `${list.runPath}[${index}]`]
        const inside = childLists(step, id, runPath)
        return (
          <li key={id}>
            <Plus list={list} index={index} />
            <NodeCard node={{ id, kind: 'step', runPath, step, ...PLACE }} />
            {inside.length > 0 && (
              <ul className={classes.inside}>
                {inside.map((one) => (
                  <Inside key={one.path} list={one} />
                ))}
              </ul>
            )}
          </li>
        )
      })}
      {hasEnd && (
        <li>
          <Plus list={list} index={list.steps.length} />
        </li>
      )}
    </Box>
  )
}

const TRIGGER: CanvasNode = { id: TRIGGER_ID, kind: 'trigger', runPath: '', ...PLACE }

interface StepListProps extends CanvasParts {
  definition: Pick<WorkflowDefinition, 'steps'>
  label: string
}

export function StepListView({ definition, label, ...parts }: StepListProps) {
  return (
    <CanvasContext value={parts}>
      <Box component="section" className="rest scroll sunken" p={16} aria-label={label}>
        <NodeCard node={TRIGGER} />
        <Steps list={rootList(definition.steps)} />
      </Box>
    </CanvasContext>
  )
}
