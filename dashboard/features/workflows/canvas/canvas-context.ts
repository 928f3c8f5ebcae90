// What the pages put onto the canvas: the canvas itself only draws.
import { createContext, type ReactNode, useContext } from 'react'
import type { Tone } from '../../../ui/tone-chip.tsx'
import type { CanvasNode } from './layout.ts'
import type { Place } from './lists.ts'

export interface NodeWords {
  icon: React.ComponentType<{ size?: number; 'aria-hidden'?: boolean }>
  title: string
  summary: string
}

export interface NodeLook {
  /** Colors its border; said in words by `note`. */
  tone?: Tone
  /** At its right end, such as a state and a duration. */
  note?: ReactNode
  /** The run went past it. */
  isDimmed?: boolean
}

export interface CanvasParts {
  /** The id of the selected node. */
  selected?: string | undefined
  onSelect?: ((id: string) => void) | undefined
  wordsOf(node: CanvasNode): NodeWords
  lookOf?: ((node: CanvasNode) => NodeLook) | undefined
  /** What adds a step there. */
  plusAt?: ((place: Place) => ReactNode) | undefined
  /** What can be done with the node, over its right end. */
  menuOf?: ((node: CanvasNode) => ReactNode) | undefined
}

export const CanvasContext = createContext<CanvasParts | undefined>(undefined)

export function useCanvas(): CanvasParts {
  const parts = useContext(CanvasContext)
  if (!parts) throw new Error('This is drawn on a canvas only')
  return parts
}
