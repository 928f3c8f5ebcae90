// The texts on a node of the canvas.
import type { WorkflowDefinition } from '../../../../contract/workflows.ts'
import type { NameOf } from '../node-names.ts'
import { TRIGGERS, triggerWords } from '../trigger-words.ts'
import type { NodeWords } from './canvas-context.ts'
import type { CanvasNode } from './layout.ts'
import { stepWords } from './step-words.ts'

export const nodeWords =
  (definition: Pick<WorkflowDefinition, 'trigger' | 'triggerConfig'>, nameOf: NameOf) =>
  ({ step }: CanvasNode): NodeWords =>
    step
      ? stepWords(step, nameOf)
      : { ...TRIGGERS[definition.trigger], summary: triggerWords(definition, nameOf) }
