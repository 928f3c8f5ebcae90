// What pages show on the canvas. The canvas itself only draws.
import type { ReactNode } from 'react'
import { requiredContext } from '../../../ui/required-context.ts'
import type { Tone } from '../../../ui/tone-chip.tsx'
import type { CanvasNode } from './layout.ts'
import type { InsertionPoint } from './lists.ts'

export interface NodeWords {
  icon: React.ComponentType<{ size?: number; 'aria-hidden'?: boolean }>
  title: string
  summary: string
}

export interface NodeLook {
  /** Color of the border. `note` has the same meaning in words. */
  tone?: Tone
  /** Shown at the right end of the node, such as a state and a duration. */
  note?: ReactNode
  /** Whether the run did not execute the node. */
  isDimmed?: boolean
}

export interface CanvasParts {
  /** The id of the selected node. */
  selected?: string | undefined
  onSelect?: ((id: string) => void) | undefined
  wordsOf(node: CanvasNode): NodeWords
  lookOf?: ((node: CanvasNode) => NodeLook) | undefined
  /** The button that adds a step at the place. */
  plusAt?: ((insertAt: InsertionPoint) => ReactNode) | undefined
  /** The menu of the node, shown over its right end. */
  menuOf?: ((node: CanvasNode) => ReactNode) | undefined
}

export const [CanvasContext, useCanvas] = requiredContext<CanvasParts>('Canvas')
